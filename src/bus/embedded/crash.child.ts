import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryId, RunId, ThreadId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import type { BusyPolicy } from '../../channel/busy.ts';
import { newInput } from '../contract/kit.ts';
import type { NewDelivery } from '../port.ts';
import { createEmbeddedBus } from './index.ts';

/** What `crash.test.ts` asks for: a message, which may be taken back at once. */
export interface Order {
  readonly thread: ThreadId;
  readonly n: number;
  readonly busy: BusyPolicy;
  readonly recall: boolean;
  /** Of the answer, see `NewDelivery`. */
  readonly resendForMs: number;
}

/** What became of it. `doubtful`: it was ordered before, of a process that died before it could tell. */
export interface Report {
  readonly thread: ThreadId;
  readonly n: number;
  readonly fate: 'taken' | 'refused' | 'recalled' | 'doubtful';
}

/**
 * A process that is killed: it publishes what it is told, answers every input with one delivery that names it, and
 * sends these to a platform that is a file, a line for each.
 */
const [file = '', platform = ''] = process.argv.slice(2);
const bus = await createEmbeddedBus({ file, log: silentLogger });
await bus.outbox.send(
  ['telegram'],
  async (outgoing) => {
    await delay(Math.random() * 2);
    if (outgoing.kind === 'delivery')
      appendFileSync(platform, `${outgoing.delivery.target.chat} ${outgoing.delivery.document.markdown}\n`);
    await delay(Math.random() * 2);
    return { kind: 'sent' };
  },
  { concurrency: 16, leaseMs: 5_000 },
);
await bus.work(
  {
    run: async (turn) => {
      await delay(Math.random() * 4);
      const inputs = [...turn.inputs, ...(await turn.steered())];
      await delay(Math.random() * 2);
      const deliveries = inputs.map(({ seq, payload, at }): NewDelivery => {
        const { n, resendForMs } = payload as Order;
        return {
          id: `${turn.thread}:${seq}` as DeliveryId,
          channel: 'telegram',
          target: { chat: turn.thread, chatKind: 'dm' },
          document: { markdown: String(n) },
          limits: [],
          at,
          resendForMs,
        };
      });
      const ackSeq = inputs.at(-1)?.seq ?? 0;
      return { kind: 'done', commit: `r_${turn.thread}_${ackSeq}` as RunId, ackSeq, deliveries };
    },
    giveUp: async () => [],
  },
  { concurrency: 16, leaseMs: 5_000, maxAttempts: 1_000 },
);

async function obey(order: Order): Promise<Report['fate']> {
  const { thread, n, busy, recall } = order;
  const dedupeKey = `${thread}/${n}`;
  const quiet = { whenIdleMs: 0, whenBusyMs: n % 3, mostMs: 5 };
  const published = await bus.publish({ ...newInput(thread, order, `telegram/${thread}`), dedupeKey, busy, quiet });
  if (published.status === 'busy') return 'refused';
  if (!recall) return 'taken';
  const recalled = await bus.withdraw(thread, dedupeKey);
  if (recalled === 'changed') return 'recalled';
  return published.status === 'duplicate' && recalled === 'gone' ? 'doubtful' : 'taken';
}

process.on('message', async (order: Order) => {
  const report: Report = { thread: order.thread, n: order.n, fate: await obey(order) };
  process.send?.(report);
});
process.send?.('ready');
