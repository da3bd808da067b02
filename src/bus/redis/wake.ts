import { Queue } from 'bullmq';
import type { Logger } from '../../base/logger.ts';
import { logErrors, type RedisClient } from './connection.ts';
import { list, number, type Reply, text } from './reply.ts';

/** The BullMQ queue whose jobs are wake-ups. Part of the keys that `renew.lua` and `sweep.lua` build. */
export const QUEUE = 'turns';

export interface WakeUp {
  readonly thread: string;
  /** Identity of the transition to `queued` that this wakes for; a wake-up with an older one does nothing. */
  readonly gen: number;
  /** Not before so many milliseconds; 0: at once. */
  readonly delayMs: number;
}

/** Wake-ups as scripts answer them: thread, generation and delay, one after the other. */
export function wakeUpsOf(reply: Reply | undefined): WakeUp[] {
  const flat = list(reply);
  const wakes: WakeUp[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3)
    wakes.push({ thread: text(flat[i]), gen: number(flat[i + 1]), delayMs: number(flat[i + 2]) });
  return wakes;
}

/**
 * Adds wake-ups: one BullMQ job for each time a thread becomes queued. The job id makes adding idempotent, so that the
 * publisher, a worker and the sweeper may all add the same one.
 */
export class Waker {
  readonly #queue: Queue;
  readonly #log: Logger;

  constructor(client: RedisClient, prefix: string, log: Logger) {
    this.#log = log;
    this.#queue = new Queue(QUEUE, {
      connection: client,
      prefix,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    logErrors(this.#queue, log, 'BullMQ queue trouble');
  }

  /** A queue that fails before this resolves stays broken. */
  async ready(): Promise<void> {
    await this.#queue.waitUntilReady();
  }

  /** Never rejects: what could not be added, the sweeper adds. */
  async wake(wakes: readonly WakeUp[]): Promise<void> {
    if (wakes.length === 0) return;
    const adding = wakes.map(({ thread, gen, delayMs }) =>
      this.#queue.add(
        'turn',
        { thread, gen },
        { jobId: `${thread}.${gen}`, ...(delayMs > 0 ? { delay: delayMs } : {}) },
      ),
    );
    for (const result of await Promise.allSettled(adding))
      if (result.status === 'rejected')
        this.#log.warn({ error: String(result.reason) }, 'wake-up not added; the sweeper will');
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
