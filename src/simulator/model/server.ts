import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { completeReply, sendJson, streamReply } from './reply.ts';
import type { Step } from './script.ts';
import { type ChatRequest, isRecord, readRequest } from './wire.ts';

/** One request, as the server saw it. Times are milliseconds since the epoch, precise. */
export interface RequestRecord {
  readonly request: ChatRequest;
  /** The body as it came. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The request's headers had arrived. */
  readonly at: number;
  /** The request's body had arrived. */
  readonly readAt: number;
  /** The first and the last byte of the answer were handed to the network. */
  firstByteAt?: number;
  lastByteAt?: number;
  /** HTTP status of the answer, once there is one. */
  status?: number;
  /** The caller hung up before the answer had ended. */
  aborted: boolean;
}

export interface ModelServerOptions {
  readonly apiKey: string | undefined;
  readonly models: readonly string[];
  /** Decides what to do with a request; an error object's text for what must be refused. */
  readonly decide: (request: ChatRequest) => Promise<Step>;
  readonly onRequest: (record: RequestRecord) => void;
  readonly now: () => number;
}

const errorBody = (message: string, type = 'invalid_request_error', code: string | null = null): object => ({
  error: { message, type, param: null, code },
});

/** The HTTP face: `/v1/chat/completions` and `/v1/models`. */
export class ModelServer {
  readonly #options: ModelServerOptions;
  readonly #server: Server;
  readonly #stopping = new AbortController();
  #count = 0;

  constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      // A wait that the caller or a stop cut short is no fault; nobody is left to tell.
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  /** @returns the port. */
  async listen(host: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(port, host, resolve);
    await promise;
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = this.#options.now();
    const path = (request.url ?? '').split('?')[0] ?? '';
    const { apiKey, models } = this.#options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      sendJson(response, 401, errorBody('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'));
    } else if (request.method === 'GET' && path === '/v1/models') {
      const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'simulator' }));
      sendJson(response, 200, { object: 'list', data });
    } else if (request.method === 'POST' && path === '/v1/chat/completions') {
      await this.#complete(request, response, at);
    } else sendJson(response, 404, errorBody(`Invalid URL (${request.method} ${path})`));
  }

  async #complete(incoming: IncomingMessage, response: ServerResponse, at: number): Promise<void> {
    const { now, onRequest, decide, models } = this.#options;
    const body = await readJson(incoming);
    if (body === undefined) {
      sendJson(response, 400, errorBody('We could not parse the JSON body of your request.'));
      return;
    }
    const request = readRequest(body);
    const record: RequestRecord = { request, body, at, readAt: now(), aborted: false };
    const gone = new AbortController();
    response.once('close', () => {
      record.lastByteAt ??= now();
      record.aborted = !response.writableFinished;
      gone.abort();
    });
    response.once('finish', () => {
      record.lastByteAt = now();
    });
    onRequest(record);
    if (models.length > 0 && !models.includes(request.model)) {
      const message = `The model \`${request.model}\` does not exist or you do not have access to it.`;
      sendJson(response, 404, errorBody(message, 'invalid_request_error', 'model_not_found'));
      record.status = 404;
      return;
    }
    const step = await decide(request);
    record.firstByteAt = now();
    if ('status' in step) {
      record.status = step.status;
      const retry = step.retryAfter === undefined ? {} : { 'retry-after': String(step.retryAfter) };
      const refusal = typeof step.error === 'string' ? errorBody(step.error, 'server_error') : step.error;
      sendJson(response, step.status, refusal, { ...retry, ...step.headers });
      return;
    }
    record.status = 200;
    this.#count += 1;
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal]);
    const write = request.stream ? streamReply : completeReply;
    await write(response, step, { request, id: `chatcmpl-${this.#count}`, signal });
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
