import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryId, ThreadId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { createEmbeddedBus } from './index.ts';

/**
 * A process that `crash.test.ts` kills: it publishes what it is told, answers every input with one delivery that
 * names it, and sends nothing.
 */
const [file = ''] = process.argv.slice(2);
const bus = await createEmbeddedBus({ file, log: silentLogger });
await bus.work(
  {
    run: async (turn) => {
      await delay(Math.random() * 4);
      return {
        kind: 'done',
        commit: `r_${turn.thread}_${turn.inputs[0]?.seq}` as never,
        ackSeq: turn.inputs.at(-1)?.seq ?? 0,
        deliveries: turn.inputs.map((input) => ({
          id: `${turn.thread}:${input.seq}` as DeliveryId,
          channel: 'telegram',
          target: { chat: turn.thread, chatKind: 'dm' },
          document: { markdown: String(input.payload) },
          limits: [],
          at: input.at,
        })),
      };
    },
    giveUp: async () => [],
  },
  { concurrency: 16, leaseMs: 5_000, maxAttempts: 1_000 },
);
process.on('message', async ([thread, n]: [ThreadId, number]) => {
  await bus.publish({ thread, chat: `telegram/${thread}`, dedupeKey: `${thread}/${n}`, payload: n, at: Date.now() });
  process.send?.([thread, n]);
});
process.send?.('ready');
