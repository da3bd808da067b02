import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { TokensByModel, Usage } from '../store/port.ts';
import type { Meter } from './port.ts';

export interface RunMeterOptions {
  readonly maxTokens: number | undefined;
  /** Writes down what the run has used so far in all. */
  readonly write: (tokens: TokensByModel) => ReturnType<Usage['spend']>;
  /** What people should hear of, once all is counted. */
  readonly warnings: () => Promise<readonly string[]>;
  /** Gives the run's slots back. Never rejects. */
  readonly leave: () => Promise<void>;
  readonly log: Logger;
}

/**
 * Counts one run. Each model call is written down while the run goes on, so that a process that is killed takes no more
 * than the last call's count with it.
 */
export class RunMeter implements Meter {
  readonly maxTokens?: number;
  readonly #options: RunMeterOptions;
  #tokens: TokensByModel = {};
  #isWritten = false;
  #writing: Promise<void> | null = null;

  constructor(options: RunMeterOptions) {
    this.#options = options;
    if (options.maxTokens !== undefined) this.maxTokens = options.maxTokens;
  }

  spend({ model, inputTokens, outputTokens }: Parameters<Meter['spend']>[0]): void {
    const before = this.#tokens[model];
    this.#tokens = {
      ...this.#tokens,
      [model]: {
        inputTokens: (before?.inputTokens ?? 0) + inputTokens,
        outputTokens: (before?.outputTokens ?? 0) + outputTokens,
      },
    };
    this.#isWritten = false;
    this.#writing ??= this.#write();
  }

  async end(): Promise<readonly string[]> {
    await this.#settle();
    return this.#options.warnings().catch((error: unknown) => {
      this.#warn(error);
      return [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settle();
    await this.#options.leave();
  }

  /** Writes down what is not yet. */
  async #settle(): Promise<void> {
    await this.#writing;
    if (!this.#isWritten) await this.#write();
  }

  /** Until there is nothing new. What failed is told again with the next call, and at the end. */
  async #write(): Promise<void> {
    let isFine = true;
    while (!this.#isWritten && isFine) {
      this.#isWritten = true;
      await this.#options.write(this.#tokens).catch((error: unknown) => {
        isFine = false;
        this.#isWritten = false;
        this.#warn(error);
      });
    }
    this.#writing = null;
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ problem: asAntlerError(error).message }, 'what a run has used was not counted');
  }
}
