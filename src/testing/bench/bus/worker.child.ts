import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { newRunId } from '../../../base/ids.ts';
import { silentLogger } from '../../../base/logger.ts';
import type { Turn, TurnHandler, TurnOutcome } from '../../../bus/port.ts';
import { createRedisBus } from '../../../bus/redis/index.ts';
import { now, type Payload } from './inputs.ts';
import type { Handled, Order, Report, WorkerSpec } from './worker.ts';

/** A process that takes messages: from the ordered bus, or as plain BullMQ jobs to compare with. */
const spec = JSON.parse(process.argv[2] ?? '{}') as WorkerSpec;
const handled: Handled[] = [];

const tell = (report: Report): void => void process.send?.(report);

const done = (turn: Turn, ackSeq = turn.inputs.at(-1)?.seq ?? 0): TurnOutcome => ({
  kind: 'done',
  commit: newRunId(),
  ackSeq,
  deliveries: [],
});

/** Notes each message and is done, after `workMs`. */
async function note(turn: Turn): Promise<TurnOutcome> {
  const at = now();
  for (const { payload } of turn.inputs) handled.push(noted(turn.thread, payload as Payload, at));
  if (spec.workMs > 0) await sleep(spec.workMs);
  return done(turn);
}

const noted = (thread: string, { n, at: publishedAt }: Payload, at: number): Handled => [thread, n, publishedAt, at];

/** Says that it began, and waits until something happens to it; what interrupted another turn is done at once. */
async function wait(turn: Turn): Promise<TurnOutcome> {
  const { thread, signal, inputs } = turn;
  if (inputs.some(({ payload }) => (payload as Payload).n > 1)) return done(turn);
  tell({ kind: 'begun', thread, at: now() });
  while (!signal.aborted) {
    const steered = await turn.steered();
    const last = steered.at(-1);
    if (last !== undefined) {
      tell({ kind: 'steered', thread, at: now() });
      return done(turn, last.seq);
    }
    await sleep(1, undefined, { signal }).catch(() => {}); // aborted
  }
  tell({ kind: 'aborted', thread, at: now() });
  return done(turn);
}

async function takeTurns(): Promise<void> {
  const bus = await createRedisBus({ url: spec.url, prefix: spec.prefix, log: silentLogger });
  const handler: TurnHandler = { run: spec.task === 'note' ? note : wait, giveUp: async () => [] };
  const { id, concurrency, leaseMs } = spec;
  await bus.work(handler, { id, concurrency, leaseMs, maxAttempts: 3 });
}

/** BullMQ as its documentation shows it, one job a message. */
async function takeJobs(): Promise<void> {
  const { hostname: host, port } = new URL(spec.url);
  const worker = new Worker<Payload & { readonly thread: string }>(
    'raw',
    async ({ data }) => {
      handled.push(noted(data.thread, data, now()));
      if (spec.workMs > 0) await sleep(spec.workMs);
    },
    {
      connection: { host, port: Number(port), maxRetriesPerRequest: null },
      prefix: `{${spec.prefix}}`,
      concurrency: spec.concurrency,
      removeOnComplete: { count: 0 },
    },
  );
  await worker.waitUntilReady();
}

process.on('message', (order: Order) => {
  const { user, system } = process.cpuUsage();
  if (order === 'count') tell({ kind: 'count', count: handled.length });
  else tell({ kind: 'all', handled, cpuUs: user + system });
});
process.once('disconnect', () => process.exit(0));
await (spec.source === 'bus' ? takeTurns() : takeJobs());
tell({ kind: 'ready' });
