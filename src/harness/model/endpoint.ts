import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import type { ModelConfig } from '../port.ts';
import { Gate } from './gate.ts';
import { MAX_ENDPOINTS, UNMARKED_ENDS_FOR_HABIT } from './limits.ts';
import { ModelRefusal } from './refusal.ts';

/** Parts of a request that some endpoints refuse; {@link adapt} tells which. */
export type Optional = 'stream_options' | 'max_tokens' | 'temperature' | 'reasoning_effort' | 'tools' | 'images';

/** One model at one address under one key, with what this process has learnt about it. */
export class Endpoint {
  readonly gate: Gate;
  /** What it has refused: not sent again. */
  readonly refuses = new Set<Optional>();
  /** Its answers begin in thought without saying so, as far as the last of them shows. */
  beginsInThought = false;
  readonly #model: ModelConfig;
  #client: OpenAI | null = null;
  #unmarkedEnds = 0;
  #hasMarkedEnds = false;

  constructor(model: ModelConfig, clock: Clock) {
    this.#model = model;
    this.gate = new Gate(clock);
  }

  /**
   * Sends a request and resolves with the response as soon as its headers are there; its body is unread.
   * @throws ModelRefusal, or whatever the connection failed with.
   */
  async post(body: ChatCompletionCreateParamsStreaming, signal: AbortSignal): Promise<Response> {
    // Imported at the first call: the SDK takes 0.3 s to load, which a start without messages need not pay.
    const { APIError, OpenAI } = await import('openai');
    this.#client ??= new OpenAI(clientOptions(this.#model));
    try {
      return await this.#client.chat.completions
        .create(body, { signal, timeout: this.#model.totalTimeoutMs + 1000 })
        .asResponse();
    } catch (thrown) {
      if (thrown instanceof APIError && thrown.status !== undefined)
        throw new ModelRefusal(thrown.status, thrown.error ?? thrown.message, retryAfter(thrown.headers));
      throw thrown;
    }
  }

  /**
   * Notes how an answer ended, and says whether it is whole. Endpoints close the line cleanly when they break too, so
   * an end without a mark (finish reason, `[DONE]`, usage) is a break, unless this endpoint has never sent a mark.
   */
  endedWhole(marked: boolean): boolean {
    if (marked) {
      this.#hasMarkedEnds = true;
      return true;
    }
    this.#unmarkedEnds++;
    return !this.#hasMarkedEnds && this.#unmarkedEnds >= UNMARKED_ENDS_FOR_HABIT;
  }
}

/** The endpoints of this process, by address, key and model; the least recently used are forgotten. */
export class Endpoints {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Endpoint>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(model: ModelConfig): Endpoint {
    const key = JSON.stringify([model.baseUrl, model.apiKey, model.model]);
    const endpoint = this.#byKey.get(key) ?? new Endpoint(model, this.#clock);
    this.#byKey.delete(key);
    this.#byKey.set(key, endpoint);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MAX_ENDPOINTS && oldest !== undefined) this.#byKey.delete(oldest);
    return endpoint;
  }
}

function clientOptions(model: ModelConfig): ConstructorParameters<typeof OpenAI>[0] {
  const key = model.apiKey.trim();
  // Checked here because the error that Node throws for such a header quotes it.
  if (!/^[\x21-\x7e]*$/.test(key)) throw new AntlerError('unauthorized', 'the key holds characters that no key has');
  return {
    baseURL: apiRoot(model),
    apiKey: key === '' ? 'none' : key,
    defaultHeaders: key === '' ? { Authorization: null } : {},
    // Not this account's: the environment may name them for another endpoint.
    organization: null,
    project: null,
    // Retries are ours: hidden ones multiply requests and hold the thread.
    maxRetries: 0,
    logLevel: 'off',
  };
}

/** People paste the address of the call instead of the API's root. */
function apiRoot(model: ModelConfig): string {
  const url = URL.parse(model.baseUrl.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new AntlerError('bad_input', 'base_url is not an http(s) address');
  return model.baseUrl.trim().replace(/\/+(?:chat\/completions\/*)?$/, '');
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') || Number.NaN);
  if (ms >= 0) return ms;
  const value = headers?.get('retry-after');
  if (value === null || value === undefined || value === '') return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
