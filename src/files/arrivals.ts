import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { FileId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { MessageBus } from '../bus/port.ts';
import type { Store } from '../store/port.ts';
import type { Arrival, Arrivals, Wish } from './port.ts';
import { askFor, onSettled } from './signals.ts';

export interface ArrivalsOptions {
  readonly bus: Pick<MessageBus, 'broadcast' | 'subscribe'>;
  readonly files: Store['files'];
  readonly log: Logger;
  readonly clock: Clock;
  /** How long a turn waits for its files, in milliseconds. Default: 45 s. */
  readonly patienceMs?: number;
  /** What is broadcast may be lost, and the gateway that heard it may have died: asked again so often. Default: 2 s. */
  readonly askAgainMs?: number;
}

const PATIENCE_MS = 45_000;
const ASK_AGAIN_MS = 2_000;

/** Waits for files that gateways fetch, mostly since before the worker has taken the turn. */
export function createArrivals(options: ArrivalsOptions): Arrivals {
  const { bus, files, log, clock, patienceMs = PATIENCE_MS, askAgainMs = ASK_AGAIN_MS } = options;

  async function collect(wishes: ReadonlyMap<FileId, Wish>, arrived: Map<FileId, Arrival>): Promise<void> {
    const missing = [...wishes.keys()].filter((id) => !arrived.has(id));
    for (const meta of await Promise.all(missing.map((id) => files.get(id))))
      if (meta !== null) arrived.set(meta.id, meta);
  }

  async function wait(
    wishes: ReadonlyMap<FileId, Wish>,
    arrived: Map<FileId, Arrival>,
    signal: AbortSignal,
  ): Promise<void> {
    const deadline = clock.now() + patienceMs;
    let news = Promise.withResolvers<void>();
    const stopListening = onSettled(bus, ({ id, problem }) => {
      if (!wishes.has(id) || arrived.has(id)) return;
      if (problem !== undefined) arrived.set(id, { problem });
      news.resolve();
    });
    try {
      for (;;) {
        news = Promise.withResolvers();
        await collect(wishes, arrived);
        const missing = [...wishes.values()].filter(({ id }) => !arrived.has(id));
        const leftMs = deadline - clock.now();
        if (missing.length === 0 || leftMs <= 0 || signal.aborted) return;
        for (const wish of missing) askFor(bus, wish);
        await either(news.promise, Math.min(askAgainMs, leftMs), signal);
      }
    } finally {
      stopListening();
    }
  }

  /** Until there is news, or so much time has passed, or the wait is over. */
  async function either(news: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const pause = clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => {}); // ended early
    await Promise.race([news, pause]);
    over.abort();
    await pause;
  }

  return {
    of: async (wishes, signal) => {
      const arrived = new Map<FileId, Arrival>();
      if (wishes.length === 0) return arrived;
      const byId = new Map(wishes.map((wish) => [wish.id, wish]));
      try {
        await collect(byId, arrived);
        if (arrived.size < byId.size) await wait(byId, arrived, signal);
      } catch (error) {
        log.warn({ problem: asAntlerError(error).message }, 'a turn goes on without its files');
      }
      return arrived;
    },
  };
}
