import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import type { ConnectionStatus } from '../../../src/channel/port.ts';
import type { Refusal } from '../../../src/channel/refusal.ts';
import { CONNECTED_PATIENCE_MS, KICKED_WAIT_MOST_MS, KICKED_WAIT_MS, REFUSED_WAIT_MS } from '../limits.ts';
import { type Incoming, type Link, runSession, type SessionOptions } from './session.ts';

export interface ConnectionOptions extends Omit<SessionOptions, 'onUp' | 'signal' | 'take'> {
  /** Called for everything that comes, in order; never throws. Until `signal` aborts it may go on with it. */
  readonly take: (incoming: Incoming, signal: AbortSignal) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: (status: ConnectionStatus) => void;
  readonly refusal: Pick<Refusal, 'note'>;
}

/** Keeps one long connection up, however often it is lost or refused. */
export class Connection {
  readonly #options: ConnectionOptions;
  #link: Link | undefined;
  #arrival = Promise.withResolvers<void>();
  #end: (why: AntlerError) => void = () => {};
  #running: { readonly stopping: AbortController; readonly over: Promise<void> } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Resolves when it is up, or when it is not but may come up. Rejects when WeCom refuses the bot. */
  async start(): Promise<void> {
    const stopping = new AbortController();
    const first = Promise.withResolvers<void>();
    this.#running = { stopping, over: this.#keepUp(stopping.signal, first) };
    try {
      await first.promise;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#running?.stopping.abort();
    await this.#running?.over;
    this.#running = undefined;
  }

  /** Throws the connection away; the next one is made after a while. */
  end(why: AntlerError): void {
    this.#end(why);
  }

  /** The connection, as soon as it is up; `unavailable` when that takes long. */
  async link(signal?: AbortSignal): Promise<Link> {
    if (this.#link === undefined && this.#running !== undefined) {
      const timeout = AbortSignal.timeout(CONNECTED_PATIENCE_MS);
      const patience = AbortSignal.any([
        timeout,
        this.#running.stopping.signal,
        ...(signal === undefined ? [] : [signal]),
      ]);
      await settled(this.#arrival.promise, patience);
    }
    if (signal?.aborted) throw new AntlerError('cancelled', 'The message was cancelled.');
    if (this.#link === undefined)
      throw new AntlerError('unavailable', 'The long connection to WeCom is not up.', {
        retryable: true,
        retryAfterMs: 2_000,
      });
    return this.#link;
  }

  async #keepUp(signal: AbortSignal, first: PromiseWithResolvers<void>): Promise<void> {
    const { clock, log, report, take, refusal } = this.#options;
    let failures = 0;
    let kicks = 0;
    let upSince = 0;
    while (!signal.aborted) {
      try {
        await runSession({
          ...this.#options,
          signal,
          take: (incoming) => take(incoming, signal),
          onUp: (link, end) => {
            failures = 0;
            upSince = clock.now();
            this.#up(link, end);
            report({ state: 'connected' });
            first.resolve();
            void refusal.note(false); // it never rejects
          },
        });
      } catch (thrown) {
        const error = asAntlerError(thrown);
        failures += 1;
        kicks = error.code === 'conflict' ? (clock.now() - upSince < KICKED_WAIT_MOST_MS ? kicks + 1 : 1) : kicks;
        if (!signal.aborted) {
          log.warn({ code: error.code, failures, problem: error.message }, 'the long connection is down');
          report({ state: 'failing', problem: error.message });
        }
        const isRefused = error.code === 'unauthorized';
        if (isRefused) await refusal.note(true);
        if (isRefused) first.reject(error);
        else first.resolve();
        this.#down();
        await clock.sleep(error.retryAfterMs ?? waitAfter(error, failures, kicks), signal).catch(() => {}); // stopped
      }
      this.#down();
    }
    first.resolve();
  }

  #up(link: Link, end: (why: AntlerError) => void): void {
    this.#link = link;
    this.#end = end;
    this.#arrival.resolve();
  }

  #down(): void {
    if (this.#link !== undefined) this.#arrival = Promise.withResolvers();
    this.#link = undefined;
    this.#end = () => {};
  }
}

/** Two that fight for one bot would take it from each other for ever, so whoever was kicked waits longer each time. */
function waitAfter({ code }: AntlerError, failures: number, kicks: number): number {
  if (code === 'conflict') return Math.min(KICKED_WAIT_MOST_MS, KICKED_WAIT_MS * 2 ** (kicks - 1));
  return code === 'unauthorized' ? REFUSED_WAIT_MS : backoffMs(failures);
}

/** Resolves when `promise` or `signal` is through, whichever is first. */
async function settled(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener('abort', abort, { once: true });
  await Promise.race([promise, aborted.promise]);
  signal.removeEventListener('abort', abort);
}
