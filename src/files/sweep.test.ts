import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Clock } from '../base/clock.ts';
import { imUserKey, newFileId, newThreadId } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import { createEmbeddedBus } from '../bus/embedded/index.ts';
import { openStore } from '../store/index.ts';
import { startSweep } from './sweep.ts';
import { folderFor } from './testing/kit.ts';

const DAY_MS = 86_400_000;

test('old files are deleted once a day, by one gateway, and stopping ends it at once', async (t) => {
  const folder = folderFor(t);
  const bus = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger });
  const { files, close } = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  t.after(async () => {
    await bus.close({ graceMs: 0 });
    await close();
  });
  let now = 100 * DAY_MS;
  let hour = Promise.withResolvers<void>();
  const slept: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: async (_ms, signal) => {
      slept.shift()?.();
      const { promise, reject } = Promise.withResolvers<never>();
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      await Promise.race([hour.promise, promise]);
    },
  };
  const put = async (createdAt: number): Promise<void> => {
    const owner = imUserKey({ channelType: 'web', tenant: '', user: '1' });
    const place = { thread: newThreadId(), channel: 'web', chat: '1', owner, direction: 'in' } as const;
    const file = { id: newFileId(), kind: 'file', name: 'a.txt', mime: 'text/plain', createdAt } as const;
    await files.put({ ...place, ...file }, new Uint8Array(3));
  };
  /** Resolves when both gateways have looked and rest. */
  const rested = (): Promise<unknown> =>
    Promise.all([1, 2].map(() => new Promise<void>((resolve) => slept.push(resolve))));
  const anHourLater = async (ms: number): Promise<void> => {
    now += ms;
    const [next, former] = [rested(), hour];
    hour = Promise.withResolvers();
    former.resolve();
    await next;
  };
  const countOld = (before: number): Promise<number> => files.deleteBefore(before);

  await put(now - 31 * DAY_MS);
  const looked = rested();
  const options = { claims: bus.claims, files, keepDays: 30, log: silentLogger, clock };
  const sweeps = [startSweep(options), startSweep(options)];
  await looked;
  assert.equal(await countOld(now - 30 * DAY_MS), 0);

  await put(now - 31 * DAY_MS);
  await anHourLater(3_600_000);
  assert.equal(await countOld(now - 30 * DAY_MS), 1, 'it is not yet the next day');

  await put(now - 31 * DAY_MS);
  await put(now);
  await anHourLater(DAY_MS);
  assert.equal(await countOld(now - 30 * DAY_MS), 0);
  assert.equal(await countOld(now), 1);
  await Promise.all(sweeps.map((sweep) => sweep.stop()));
});
