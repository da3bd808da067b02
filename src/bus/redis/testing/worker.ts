import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { newRunId } from '../../../base/ids.ts';
import { silentLogger } from '../../../base/logger.ts';
import { newDelivery } from '../../contract/kit.ts';
import type { Turn, TurnOutcome } from '../../port.ts';
import { createRedisBus } from '../index.ts';
import { startRenewer } from '../renewer.ts';

/** A worker process for tests, in one of these ways. It tells its parent `running` when a turn has begun. */
export type WorkerMode =
  /** The turn never ends. */
  | 'hang'
  /** The turn computes, without ever yielding, for two leases; then it is done. */
  | 'compute'
  /** Holds a run until its parent sends a word; then its main thread stands still for ever. */
  | 'freeze'
  /** Does a little of everything, closes, and must end by itself. */
  | 'close';

export interface WorkerOrders {
  readonly mode: WorkerMode;
  readonly url: string;
  readonly prefix: string;
  readonly leaseMs: number;
  /** For `freeze`: the run that is held. */
  readonly run?: { readonly thread: string; readonly token: string; readonly job: string; readonly lock: string };
}

const orders = JSON.parse(process.argv[2] ?? '{}') as WorkerOrders;
const { mode, url, prefix, leaseMs } = orders;

const done = (turn: Turn): TurnOutcome => ({
  kind: 'done',
  commit: newRunId(),
  ackSeq: turn.inputs.at(-1)?.seq ?? 0,
  deliveries: [newDelivery('from the child', { id: `${turn.thread}.${turn.inputs[0]?.seq}` })],
});

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function run(turn: Turn): Promise<TurnOutcome> {
  process.send?.('running');
  if (mode === 'hang') await new Promise(() => {});
  if (mode === 'compute') {
    await delay(leaseMs / 2);
    standStill(leaseMs * 2);
  }
  return done(turn);
}

if (mode === 'freeze') {
  const renewer = startRenewer({
    url,
    silenceMs: 5_000,
    scripts: { base: `{${prefix}}:`, flags: true, places: { chat: 4, user: 4 }, maxInbox: 10 },
    leaseMs,
    maxHangMs: leaseMs * 2,
    client: new Redis(url),
    log: silentLogger,
    onNews: () => {},
  });
  if (orders.run !== undefined) renewer.hold(orders.run);
  process.send?.('running');
  process.once('message', () => standStill(Number.POSITIVE_INFINITY));
} else {
  const bus = await createRedisBus({ url, prefix, log: silentLogger });
  await bus.work({ run, giveUp: async () => [] }, { concurrency: 2, leaseMs, maxAttempts: 2 });
  if (mode === 'close') {
    await bus.leases.acquire('a lease', 60_000);
    bus.subscribe('a topic', () => {});
    bus.broadcast('a topic', 'hello');
    await bus.outbox.send(['telegram'], async () => ({ kind: 'sent' }), { concurrency: 2, leaseMs });
    await bus.outbox.enqueue([newDelivery('hello')]);
    await bus.close({ graceMs: 5_000 });
    process.disconnect();
  }
}
