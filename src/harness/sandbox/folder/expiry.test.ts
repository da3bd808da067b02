import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/logger.ts';
import { expire } from './expiry.ts';
import { FolderWorkspaces } from './index.ts';
import { layoutOf } from './layout.ts';

const DAY_MS = 86_400_000;

test('a workspace that nobody opened for long goes; of one in use only what came in long ago', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'antler-expiry-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const all = new FolderWorkspaces({ base, maxBytes: 1_000_000, clock: systemClock });
  const [old, used] = [
    { owner: 'telegram//1', assistantId: 'lead' },
    { owner: 'telegram//2', assistantId: 'lead' },
  ];
  for (const owner of [old, used]) {
    const workspace = await all.open(owner);
    await workspace.write('a/b/work.txt', Buffer.from('x'));
    for (const id of ['old', 'new']) await workspace.receive({ id, name: `${id}.txt` }, async () => Buffer.from('x'));
  }
  const longAgo = new Date(Date.now() - 31 * DAY_MS);
  const layout = layoutOf(base, used);
  utimesSync(layoutOf(base, old).root, longAgo, longAgo);
  utimesSync(join(layout.areas.uploads, 'old.txt'), longAgo, longAgo);
  await expire({ base, keepMs: 30 * DAY_MS, clock: systemClock, log: silentLogger });
  assert.equal(existsSync(layoutOf(base, old).ownerRoot), false);
  assert.equal(existsSync(join(layout.areas.uploads, 'old.txt')), false);
  assert.equal(existsSync(join(layout.areas.uploads, 'new.txt')), true);
  assert.equal(existsSync(join(layout.areas.workspace, 'a/b/work.txt')), true);
});
