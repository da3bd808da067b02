import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import type { BusyPolicy } from '../../channel/busy.ts';
import { until } from '../contract/kit.ts';
import type { NewDelivery } from '../port.ts';
import type { Order, Report } from './crash.child.ts';
import { createEmbeddedBus } from './index.ts';

const THREADS = 40;
const PER_THREAD = 15;
const KILLS = 6;
const policies: readonly BusyPolicy[] = ['collect', 'queue', 'steer', 'interrupt', 'reject'];

/** Every thread has a policy of its own; half of the answers may be sent again. */
const orderOf = (thread: number, n: number): Order => ({
  thread: `thread${thread}` as ThreadId,
  n,
  busy: policies[thread % policies.length] ?? 'collect',
  recall: n % 5 === 3,
  resendForMs: thread % 2 === 0 ? 3_600_000 : 0,
});

it('loses, doubles and reorders nothing while the process is killed again and again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-crash-'));
  const [file, platform] = [join(folder, 'bus.db'), join(folder, 'platform')];
  const fates = Array.from({ length: THREADS }, (): Report['fate'][] => []);
  let child: ChildProcess | undefined;
  t.after(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the process until it has obeyed `quota` orders, or all; one order per thread is under way at a time. */
  const live = async (quota: number): Promise<ChildProcess> => {
    const process = fork(join(import.meta.dirname, 'crash.child.ts'), [file, platform]);
    child = process;
    await once(process, 'message');
    let obeyed = 0;
    await new Promise<void>((resolve) => {
      const order = (thread: number): void => {
        const n = fates[thread]?.length ?? 0;
        if (n < PER_THREAD) process.send(orderOf(thread, n), () => {});
        else if (fates.every((list) => list.length === PER_THREAD)) resolve();
      };
      process.on('message', ({ thread, fate }: Report) => {
        const place = Number(thread.slice('thread'.length));
        fates[place]?.push(fate);
        if (++obeyed >= quota) resolve();
        else order(place);
      });
      for (const place of fates.keys()) order(place);
    });
    return process;
  };
  const kill = async (process: ChildProcess): Promise<void> => {
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  };

  for (let killed = 0; killed < KILLS; killed++) await kill(await live((THREADS * PER_THREAD) / (KILLS + 1)));
  await kill(await live(Number.POSITIVE_INFINITY));
  // One life more, for what is open; then no lock is left behind by the dead.
  const last = fork(join(import.meta.dirname, 'crash.child.ts'), [file, platform]);
  child = last;
  const lines = () => readFileSync(platform, 'utf8').split('\n').slice(0, -1);
  const sent = (): Map<string, number[]> => {
    const byThread = new Map<string, number[]>();
    for (const line of lines()) {
      const [thread = '', n = ''] = line.split(' ');
      byThread.set(thread, [...(byThread.get(thread) ?? []), Number(n)]);
    }
    return byThread;
  };
  await once(last, 'message');
  // On a busy machine a pause is not the end yet.
  let before = -1;
  let quietLooks = 0;
  await until('the end of the answers', async () => {
    const now = lines().length;
    quietLooks = now === before ? quietLooks + 1 : 0;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return quietLooks >= 7;
  });
  await kill(last);

  const bus = await createEmbeddedBus({ file, log: silentLogger });
  t.after(() => bus.close({ graceMs: 0 }));
  const { queuedThreads, runningThreads, waitingInputs, pendingDeliveries } = await bus.stats();
  assert.deepEqual([queuedThreads, runningThreads, waitingInputs, pendingDeliveries], [0, 0, 0, 0]);
  const letters = await bus.deadLetters.list(1_000);
  assert.ok(letters.every((letter) => letter.kind === 'uncertain'));
  const inDoubt = new Set(
    letters.map((letter) => {
      const { target, document } = letter.content as NewDelivery;
      return `${target.chat} ${document.markdown}`;
    }),
  );
  for (const [place, list] of fates.entries()) {
    const { thread, resendForMs } = orderOf(place, 0);
    const answers = sent().get(thread) ?? [];
    const once = [...new Set(answers)];
    assert.deepEqual(
      once,
      [...once].sort((a, b) => a - b),
      `${thread} is out of order`,
    );
    // Where the platform knows an id again, a second sending is none.
    if (resendForMs === 0) assert.deepEqual(answers, once, `${thread} was answered twice`);
    for (const [n, fate] of list.entries()) {
      const known = once.includes(n) || inDoubt.has(`${thread} ${n}`);
      if (fate === 'taken') assert.ok(known, `${thread} ${n} was lost`);
      if (fate === 'refused' || fate === 'recalled') assert.ok(!known, `${thread} ${n} was ${fate} and is answered`);
      if (resendForMs > 0) assert.ok(!inDoubt.has(`${thread} ${n}`), `${thread} ${n} was not sent again`);
    }
  }
  const fateCount = (fate: Report['fate']) => fates.flat().filter((one) => one === fate).length;
  assert.ok(fateCount('recalled') > 0 && fateCount('taken') > fateCount('recalled'));
});

it('keeps a second process out for as long as the first one lives', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-crash-'));
  const file = join(folder, 'bus.db');
  const child = fork(join(import.meta.dirname, 'crash.child.ts'), [file, join(folder, 'platform')]);
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await once(child, 'message');
  await assert.rejects(createEmbeddedBus({ file, log: silentLogger }), {
    code: 'conflict',
    message: /another Antler runs on this data folder/,
  });
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await (await createEmbeddedBus({ file, log: silentLogger })).close();
});
