import type { Clock } from '../base/clock.ts';
import type { LogEntry } from '../harness/log.ts';
import type { HarnessEvent, RunResult } from '../harness/port.ts';
import type { NewRun, RunEvent, Store } from '../store/port.ts';

/** Tokens of all model calls of a run. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Writes one run down while it goes on: that it began, what belongs into the thread's log, what happened in it, how it
 * ended. Each is a way to the database and back, so nothing waits for another that it does not build on, and the model
 * is asked without waiting for any.
 */
export class RunRecorder {
  readonly #store: Pick<Store, 'log' | 'runs'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #run: NewRun;
  readonly #begun: Promise<void>;
  readonly #events: RunEvent[] = [];
  #unwritten: LogEntry[] = [];

  constructor(store: Pick<Store, 'log' | 'runs'>, clock: Pick<Clock, 'now'>, run: NewRun) {
    this.#store = store;
    this.#clock = clock;
    this.#run = run;
    this.#begun = store.runs.start(run);
    this.#begun.catch(() => {}); // it fails whoever writes first
  }

  /** Puts entries aside for the next writing. */
  add(...entries: readonly LogEntry[]): void {
    this.#unwritten.push(...entries);
  }

  /** Puts what happened aside for the end. */
  note({ type, ...data }: HarnessEvent): void {
    this.#events.push({ seq: this.#events.length, at: this.#clock.now(), type, data });
  }

  /** Writes the entries that were put aside; they count once the run has committed. */
  async write(): Promise<void> {
    const entries = this.#unwritten;
    this.#unwritten = [];
    await this.#begun;
    if (entries.length > 0) await this.#store.log.append(this.#run.thread, this.#run.id, entries);
  }

  /** Writes all that is left, and how the run ended. */
  async end(result: RunResult, tokens: TokenCount): Promise<void> {
    const { runs } = this.#store;
    const failure = result.status === 'failed' ? { errorCode: result.code, errorDetail: result.detail } : {};
    await this.#begun;
    await Promise.all([
      this.write(),
      runs.addEvents(this.#run.id, this.#events),
      runs.end(this.#run.id, { endedAt: this.#clock.now(), result: result.status, ...failure, ...tokens }),
    ]);
  }
}
