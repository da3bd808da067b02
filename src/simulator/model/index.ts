import { paced } from './demo/pace.ts';
import { demoReply } from './demo/rules.ts';
import { type Handler, refuse, type Step } from './script.ts';
import { ModelServer, type RequestRecord } from './server.ts';
import { problemOf } from './validate.ts';
import type { ChatRequest } from './wire.ts';

export { type Handler, refuse, type Step, text, tools } from './script.ts';
export type { RequestRecord } from './server.ts';

export interface ModelOptions {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Answers by the demo rules whatever is not scripted; otherwise that is refused, so that a test notices. */
  readonly demo?: boolean;
  /** Between two words of a demo answer; 25 by default. */
  readonly wordDelayMs?: number;
  /** Asked for when given. */
  readonly apiKey?: string;
  /** The only models there are; any name is fine when empty. */
  readonly models?: readonly string[];
  /** Refuse what the strictest endpoints refuse, such as tool calls without results; on by default. */
  readonly strict?: boolean;
}

/** An OpenAI-compatible endpoint on loopback. */
export interface ModelSimulator {
  /** The base URL, ending in `/v1`. */
  readonly url: string;
  /** Newest last; the last 10,000 of them. */
  readonly requests: readonly RequestRecord[];
  /** Adds steps for the next requests, one each, in order; they go before the handler. */
  script(...steps: readonly Step[]): void;
  /** Decides about requests for which no step is left. */
  handle(handler: Handler | undefined): void;
  /** Resolves when `count` requests have come in all. */
  waitForRequests(count: number, timeoutMs?: number): Promise<readonly RequestRecord[]>;
  stop(): Promise<void>;
}

const keptRequests = 10_000;
const preciseNow = (): number => performance.timeOrigin + performance.now();

/**
 * Starts the model.
 *
 * @example
 * const model = await startModel();
 * model.script(tools(['calculator', { expression: '6*7' }]), text('It is ', '42.'));
 */
export async function startModel(options: ModelOptions = {}): Promise<ModelSimulator> {
  const { host = '127.0.0.1', port = 0, demo = false, wordDelayMs = 25, strict = true } = options;
  const requests: RequestRecord[] = [];
  const steps: Step[] = [];
  const watchers = new Set<() => void>();
  let handler: Handler | undefined;

  const decide = async (request: ChatRequest): Promise<Step> => {
    const problem = strict ? problemOf(request) : undefined;
    if (problem !== undefined)
      return refuse(400, { error: { message: problem, type: 'invalid_request_error', param: 'messages', code: null } });
    const step = steps.shift() ?? (await handler?.(request));
    if (step !== undefined) return step;
    return demo
      ? paced(demoReply(request), wordDelayMs)
      : refuse(400, 'The script of this simulated model is at its end.');
  };

  const server = new ModelServer({
    apiKey: options.apiKey,
    models: options.models ?? [],
    decide,
    now: preciseNow,
    onRequest: (record) => {
      requests.push(record);
      if (requests.length > keptRequests) requests.shift();
      for (const watcher of watchers) watcher();
    },
  });
  const url = `http://${host}:${await server.listen(host, port)}/v1`;

  return {
    url,
    requests,
    script: (...more) => void steps.push(...more),
    handle: (next) => {
      handler = next;
    },
    waitForRequests: async (count, timeoutMs = 5_000) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = (): void => {
        if (requests.length >= count) resolve();
      };
      const timer = setTimeout(
        () => reject(new Error(`${requests.length} requests came within ${timeoutMs} ms, not ${count}`)),
        timeoutMs,
      );
      watchers.add(check);
      check();
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        watchers.delete(check);
      }
      return requests;
    },
    stop: () => server.close(),
  };
}
