import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import type { FileId, ThreadId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { Semaphore } from '../base/semaphore.ts';
import type { MessageBus } from '../bus/port.ts';
import type { ChannelBook } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Adapter, FetchedFile } from '../channel/port.ts';
import type { FileProblem } from '../harness/log.ts';
import type { Store } from '../store/port.ts';
import { namesOf } from './describe.ts';
import type { Wish } from './port.ts';
import { onAsked, tellSettled } from './signals.ts';
import { problemOf } from './verdict.ts';
import { wishesOf } from './wishes.ts';

export interface FetcherOptions {
  readonly bus: Pick<MessageBus, 'broadcast' | 'subscribe' | 'leases'>;
  readonly files: Store['files'];
  readonly channels: ChannelBook;
  /** The channel's adapter in this process. */
  readonly adapter: (channel: string) => Adapter | undefined;
  /** Larger files are not fetched, wherever they come from. */
  readonly maxBytes: number;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
  /** Of one fetch, in milliseconds. Default: 60 s. */
  readonly timeoutMs?: number;
  /** After so long without a sign of life of who fetches, another gateway may, in milliseconds. */
  readonly leaseMs?: number;
}

/** A gateway's part: fetches what came with admitted messages, at once, and again whenever a worker misses it. */
export interface Fetcher {
  /** In the background; what fails is asked for again by the worker that needs it. */
  prefetch(message: InboundMessage, thread: ThreadId): void;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const LEASE_MS = 6_000;
/** Files at once, over all channels: each is held in memory until it is stored. */
const AT_ONCE = 4;
const MAX_WAITING = 200;
/** How long a gateway that failed leaves a file to others, which may hold the connection that it takes. */
const STAND_BACK_MS = 10_000;
/** Outcomes that are remembered, so that a file which cannot be had is not asked of the platform every two seconds. */
const MAX_REMEMBERED = 1_000;

type Outcome = { readonly kind: 'cannot'; readonly problem: FileProblem } | { readonly kind: 'not_before'; at: number };

export function createFetcher(options: FetcherOptions): Fetcher {
  const { bus, files, channels, log, clock, timeoutMs = TIMEOUT_MS, leaseMs = LEASE_MS } = options;
  const stopping = new AbortController();
  const places = new Semaphore(AT_ONCE, MAX_WAITING);
  const running = new Map<FileId, Promise<unknown>>();
  const remembered = new BoundedMap<FileId, Outcome>(MAX_REMEMBERED);

  /** Sees to it that the file is fetched here, unless somebody is at it. */
  function grant(wish: Wish): void {
    if (stopping.signal.aborted || running.has(wish.id)) return;
    const job = inTurn(wish).finally(() => running.delete(wish.id));
    running.set(wish.id, job);
  }

  async function inTurn(wish: Wish): Promise<void> {
    const leave = await places.enter().catch(() => null); // too many wait: the worker asks again
    if (leave === null) return;
    try {
      await settle(wish);
    } finally {
      leave();
    }
  }

  async function settle(wish: Wish): Promise<void> {
    if (stopping.signal.aborted) return;
    const { id, channel } = wish;
    try {
      const problem = await obtain(wish);
      if (problem === 'elsewhere') return;
      if (problem !== null) log.info({ channel, file: id, problem }, 'a file cannot be had');
      if (problem !== null) remembered.set(id, { kind: 'cannot', problem });
      tellSettled(bus, problem === null ? { id } : { id, problem });
    } catch (thrown) {
      // Passing faults: the worker asks again, and then it is another gateway's turn first.
      const { code, message, retryAfterMs = STAND_BACK_MS } = asAntlerError(thrown);
      remembered.set(id, { kind: 'not_before', at: clock.now() + retryAfterMs });
      log.info({ channel, file: id, code, problem: message }, 'a file was not fetched');
    }
  }

  /** Null: it is in the store. `elsewhere`: this gateway cannot say. Throws what another try may mend. */
  async function obtain(wish: Wish): Promise<FileProblem | 'elsewhere' | null> {
    if ((await files.get(wish.id)) !== null) return null;
    const known = remembered.get(wish.id);
    if (known?.kind === 'cannot') return known.problem;
    if (known !== undefined && clock.now() < known.at) return 'elsewhere';
    const adapter = options.adapter(wish.channel);
    const capabilities = channels.get(wish.channel)?.manifest.capabilities;
    if (adapter === undefined || capabilities === undefined) return 'elsewhere';
    const maxBytes = Math.min(options.maxBytes, capabilities.maxFileInBytes);
    if (adapter.fetchFile === undefined || maxBytes <= 0) return 'refused';
    if ((wish.file.bytes ?? 0) > maxBytes) return 'too_large';

    const lease = await bus.leases.acquire(`file/${wish.id}`, leaseMs);
    if (lease === null) return 'elsewhere';
    try {
      if ((await files.get(wish.id)) !== null) return null;
      const signal = AbortSignal.any([stopping.signal, lease.lost, AbortSignal.timeout(timeoutMs)]);
      const fetched = await unlessAborted(adapter.fetchFile(wish.file, { maxBytes, signal }), signal);
      if (fetched.content.byteLength > maxBytes) return 'too_large';
      await keep(wish, fetched);
      return null;
    } catch (thrown) {
      const error = asAntlerError(thrown);
      const problem = problemOf(error);
      if (problem === null) throw error;
      return problem;
    } finally {
      await lease.release().catch(() => {}); // it runs out by itself
    }
  }

  async function keep({ file, ...place }: Wish, fetched: FetchedFile): Promise<void> {
    const names = namesOf(file, fetched);
    await files.put({ ...place, kind: file.kind, ...names, direction: 'in', createdAt: clock.now() }, fetched.content);
  }

  const stopListening = onAsked(bus, grant);
  return {
    prefetch: (message, thread) => {
      for (const wish of wishesOf(message, thread)) grant(wish);
    },
    stop: async () => {
      stopListening();
      stopping.abort(new AntlerError('cancelled', 'the gateway stops'));
      await Promise.all(running.values());
    },
  };
}

/** An adapter that does not heed its signal must not hold a slot. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new AntlerError('timeout', 'the file did not come in time', { retryable: true }));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
