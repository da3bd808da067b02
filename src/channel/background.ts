import { type AntlerError, asAntlerError } from '../base/errors.ts';

export interface BackgroundJob {
  /** Asks the platform who the bot is. */
  readonly identify: (signal: AbortSignal) => Promise<unknown>;
  /** Hears why that failed. The job begins all the same, unless the credentials are refused. */
  readonly unknown: (error: AntlerError) => void;
  /** What is done until the signal aborts; never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What an adapter does from its start to its stop. A stop in the middle of the start ends it, and nothing begins. */
export class Background {
  #stopping = new AbortController();
  #over: Promise<unknown> = Promise.resolve();

  /** To be called when nothing runs. @throws AntlerError `unauthorized` when the platform refuses the credentials. */
  async start({ identify, unknown, run }: BackgroundJob): Promise<void> {
    const stopping = new AbortController();
    this.#stopping = stopping;
    const known = identify(stopping.signal).catch((thrown: unknown) => {
      if (stopping.signal.aborted) return;
      const error = asAntlerError(thrown);
      if (error.code === 'unauthorized') throw error;
      unknown(error);
    });
    this.#over = known.catch(() => {}); // told by start()
    await known;
    if (!stopping.signal.aborted) this.#over = run(stopping.signal);
  }

  /** Tells it to end, without waiting. */
  abort(): void {
    this.#stopping.abort();
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.abort();
    await this.#over;
  }
}
