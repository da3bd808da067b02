import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { type ImUserKey, imUserKey, type PersonId } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import { loadConfig } from '../config/load.ts';
import type { MemoryPlace } from '../harness/memory/port.ts';
import { manifests } from './channels.ts';
import { memoryOf } from './memory.ts';
import { movesOf, peopleAdmin } from './people-desk.ts';
import { openDatabase } from './rooms.ts';

test('what is remembered follows a person over linked accounts, and parts with the account that said it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-memory-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const result = loadConfig({ env: { ANTLER_DATA_DIR: folder }, manifests, cwd: folder });
  assert.ok(result.ok);
  const { config } = result;
  const store = await openDatabase(config, silentLogger);
  t.after(() => store.close());
  const memory = memoryOf({ config, store, clock: systemClock });
  const { register } = peopleAdmin({ config, store, clock: systemClock, log: silentLogger }, movesOf(store));

  const key = (channelType: string): ImUserKey => imUserKey({ channelType, tenant: '', user: '7' });
  const [slack, feishu] = [key('slack'), key('feishu')];
  const personOf = async (user: ImUserKey): Promise<PersonId> => {
    const { person } = await store.imUsers.see({ key: user, name: 'Ann', isBot: false, language: null }, 1);
    return person;
  };
  const placeOf = async (user: ImUserKey): Promise<MemoryPlace> => ({
    ...{ person: await personOf(user), channel: 'c', chat: user, chatKind: 'dm' },
  });
  const known = async (user: ImUserKey): Promise<string> =>
    JSON.stringify(await memory.recall(await placeOf(user), 'tea'));
  for (const [user, content] of [
    [slack, 'Likes tea'],
    [feishu, 'Has a dog'],
  ] as const)
    await memory.add(await placeOf(user), {
      ...{
        about: 'person',
        content,
        category: 'knowledge',
        speaker: { id: user, name: 'Ann' },
        thread: 't',
        entry: 'e',
      },
    });

  assert.doesNotMatch(await known(slack), /dog/);
  await register.link(slack, feishu, 'owner');
  for (const user of [slack, feishu]) assert.match(await known(user), /tea.*dog/);
  await register.unlink(feishu, 'owner');
  assert.doesNotMatch(await known(slack), /dog/);
  assert.match(await known(slack), /tea/);
  assert.doesNotMatch(await known(feishu), /tea/);
  assert.match(await known(feishu), /dog/);
});
