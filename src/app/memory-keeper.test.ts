import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { imUserKey, personSubject } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { MemoryOptions } from '../cli/memory.ts';
import { loadConfig } from '../config/load.ts';
import { manifests } from './channels.ts';
import { memory } from './memory-keeper.ts';
import { openDatabase } from './rooms.ts';

test('antler memory takes a memory.json over, prints it, and erases it, all of it audited', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-keeper-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const result = loadConfig({ env: { ANTLER_DATA_DIR: folder }, manifests, cwd: folder });
  assert.ok(result.ok);
  const { config } = result;
  const key = imUserKey({ channelType: 'telegram', tenant: '', user: '7' });
  const store = await openDatabase(config, silentLogger);
  t.after(() => store.close());
  const { person } = await store.imUsers.see({ key, name: 'Ann', isBot: false, language: null }, 1);

  async function run(command: MemoryOptions['command'], operand: string, whose?: string): Promise<string> {
    const printed: string[] = [];
    const print = (text: string): void => void printed.push(text);
    await memory(config, { command, operand, person: whose }, { log: silentLogger, env: {}, print, note: print });
    return printed.join('\n');
  }

  const file = join(folder, 'memory.json');
  writeFileSync(file, JSON.stringify({ facts: [{ content: 'Likes tea', confidence: 0.9 }, { content: 'PIN: 4711' }] }));
  assert.match(await run('memory import', file, key), /^1 fact imported for telegram\/\/7; 1 left out/);
  assert.match(await run('memory import', file, key), /^0 facts imported/);
  assert.match(await run('memory export', key), /"content": "Likes tea"/);
  assert.match(await run('memory erase', key), /^1 fact about telegram\/\/7 erased/);
  assert.doesNotMatch(await run('memory export', key), /Likes tea/);
  await assert.rejects(run('memory import', file), /--person KEY/);
  await assert.rejects(run('memory import', join(folder, 'none.json'), key), /cannot be read/);
  await assert.rejects(run('memory erase', 'telegram//8'), /antler people/);
  const audited = await store.audit.list({ limit: 10, subject: personSubject(person) });
  assert.deepEqual(
    audited.map(({ action, actor }) => `${action} by ${actor}`).toReversed(),
    ['memory.import', 'memory.import', 'memory.export', 'memory.erase', 'memory.export'].map(
      (action) => `${action} by cli`,
    ),
  );
});
