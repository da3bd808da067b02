import type { Clock } from '../../base/clock.ts';
import { AntlerError, asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ModelConfig } from '../port.ts';
import { requestTokens } from '../transcript/build.ts';
import type { ChatMessage } from '../transcript/messages.ts';
import { callModel } from './call.ts';
import type { Endpoint, Endpoints } from './endpoint.ts';
import type { CallOutcome } from './gate.ts';
import {
  BACKOFF_BASE_MS,
  BACKOFF_CAP_MS,
  MAX_ATTEMPTS,
  MAX_SHORTENINGS,
  MAX_TIMEOUTS,
  MAX_WAIT_MS,
  MAX_WAIT_WITH_FALLBACK_MS,
  SHORTENED_SHARE,
} from './limits.ts';
import type { ModelReply, TextSink, ToolDescription } from './port.ts';

/** One step of a run: an answer is wanted, from the first of these models that gives one. */
export interface ModelOrder {
  readonly models: readonly ModelConfig[];
  /** The messages for a model: what fits into its window, and into `maxTokens` when that is given. */
  messages(model: ModelConfig, maxTokens?: number): readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  readonly signal: AbortSignal;
  readonly sink: TextSink;
  /** A model is about to be asked, for the first time in this step. */
  onModel(model: ModelConfig): void;
  /** Names a tool call that came without an id. */
  newCallId(position: number): string;
}

export interface ModelServiceOptions {
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly log: Logger;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Gets an answer in spite of failing endpoints: tries again, with growing jittered waits, then asks the next model,
 * which has attempts of its own. All of this only while nothing of the answer has been shown: afterwards a second
 * attempt would say things twice.
 */
export class ModelService {
  readonly #options: ModelServiceOptions;

  constructor(options: ModelServiceOptions) {
    this.#options = options;
  }

  /** @throws AntlerError of the last model asked; its message tells of all of them. */
  async call(order: ModelOrder): Promise<ModelReply> {
    const shown = new ShownText(order.sink);
    const failures: AntlerError[] = [];
    for (const [index, model] of order.models.entries()) {
      const hasFallback = index < order.models.length - 1;
      const endpoint = this.#options.endpoints.get(model);
      if (hasFallback && endpoint.gate.isResting) {
        failures.push(
          new AntlerError('unavailable', `model ${model.name} keeps failing and rests`, { retryable: true }),
        );
        continue;
      }
      order.onModel(model);
      try {
        return await this.#askOne(order, model, endpoint, shown, hasFallback);
      } catch (thrown) {
        const error = asAntlerError(thrown);
        if (shown.isVisible || error.code === 'cancelled' || error.code === 'content_refused') throw error;
        failures.push(error);
        this.#options.log.warn({ model: model.name, code: error.code }, error.message);
      }
    }
    throw summary(failures);
  }

  async #askOne(
    order: ModelOrder,
    model: ModelConfig,
    endpoint: Endpoint,
    shown: ShownText,
    hasFallback: boolean,
  ): Promise<ModelReply> {
    const { clock, random, log } = this.#options;
    const longestWait = hasFallback ? MAX_WAIT_WITH_FALLBACK_MS : MAX_WAIT_MS;
    let wait = BACKOFF_BASE_MS;
    let messages = order.messages(model);
    let shortenings = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(order, model, endpoint, shown, messages);
      } catch (thrown) {
        const error = asAntlerError(thrown);
        if (shown.isVisible || error.code === 'cancelled') throw error;
        if (error.code === 'context_too_long' && shortenings < MAX_SHORTENINGS) {
          shortenings++;
          const tokens = requestTokens(messages);
          messages = order.messages(model, tokens * SHORTENED_SHARE);
          if (requestTokens(messages) < tokens) continue;
        }
        const most = error.code === 'timeout' ? MAX_TIMEOUTS : MAX_ATTEMPTS;
        if (!error.retryable || attempt >= most || endpoint.gate.isOpen) throw error;
        const asked = error.retryAfterMs;
        if (asked !== undefined && asked > longestWait) throw error;
        // Decorrelated jitter: spreads the attempts of many runs that failed at the same moment.
        const longest = Math.min(BACKOFF_CAP_MS, longestWait, wait * 3);
        wait = asked ?? BACKOFF_BASE_MS + random() * (longest - BACKOFF_BASE_MS);
        log.info({ model: model.name, code: error.code, attempt, waitMs: Math.round(wait) }, 'asking the model again');
        await sleepUnlessStopped(clock, wait, order.signal);
      }
    }
  }

  async #attempt(
    order: ModelOrder,
    model: ModelConfig,
    endpoint: Endpoint,
    shown: ShownText,
    messages: readonly ChatMessage[],
  ): Promise<ModelReply> {
    const { signal, tools } = order;
    if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
    shown.clear();
    const leave = await enter(endpoint, signal);
    let outcome: CallOutcome = 'other';
    try {
      const reply = await callModel(endpoint, { model, messages, tools, signal }, shown, order.newCallId);
      outcome = 'ok';
      return reply;
    } catch (thrown) {
      if (isOutage(asAntlerError(thrown))) outcome = 'outage';
      throw thrown;
    } finally {
      leave(outcome);
    }
  }
}

async function enter(endpoint: Endpoint, signal: AbortSignal): Promise<(outcome: CallOutcome) => void> {
  try {
    return await endpoint.gate.enter(signal);
  } catch (thrown) {
    throw signal.aborted ? new AntlerError('cancelled', 'stopped') : thrown;
  }
}

async function sleepUnlessStopped(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (thrown) {
    throw signal.aborted ? new AntlerError('cancelled', 'stopped') : thrown;
  }
}

/** Failures that say that the endpoint is down, not that it is busy or does not like the request. */
function isOutage(error: AntlerError): boolean {
  return (
    error.retryable && (error.code === 'unavailable' || error.code === 'timeout' || error.code === 'stream_broken')
  );
}

function summary(failures: readonly AntlerError[]): AntlerError {
  const last = failures.at(-1);
  if (last === undefined) return new AntlerError('config_invalid', 'the assistant has no model');
  if (failures.length === 1) return last;
  const waits = failures.flatMap((error) => (error.retryAfterMs === undefined ? [] : [error.retryAfterMs]));
  return new AntlerError(last.code, failures.map((error) => error.message).join('; then '), {
    retryable: failures.some((error) => error.retryable),
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) }),
  });
}

/** Passes text on and knows whether any of it can be seen. */
class ShownText implements TextSink {
  readonly #sink: TextSink;
  #text = '';

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  get isVisible(): boolean {
    return this.#text.trim() !== '';
  }

  append(text: string): void {
    this.#text += text;
    this.#sink.append(text);
  }

  replace(text: string): void {
    this.#text = text;
    this.#sink.replace(text);
  }

  /** A new attempt begins. */
  clear(): void {
    if (this.#text !== '') this.replace('');
  }
}
