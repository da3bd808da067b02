import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoopbackServer } from '../kit/loopback-server.ts';
import { ApiError } from './api-error.ts';
import { readBody, readParams } from './body.ts';
import type { Bot } from './bot.ts';
import type { CallRecord, Calls } from './calls.ts';
import type { Fault, Faults } from './faults.ts';
import type { Flood } from './flood.ts';
import { methodNamed } from './methods/index.ts';
import type { Params } from './params.ts';
import { preciseNow } from './time.ts';
import type { World } from './world.ts';

export interface ApiServerOptions {
  readonly world: World;
  readonly faults: Faults;
  readonly calls: Calls;
  readonly flood: (bot: Bot) => Flood | undefined;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const ok = (result: unknown): Answer => ({ status: 200, body: JSON.stringify({ ok: true, result }) });

const refusal = ({ code, message, parameters }: ApiError): Answer => ({
  status: code,
  body: JSON.stringify({
    ok: false,
    error_code: code,
    description: message,
    ...(parameters === undefined ? {} : { parameters }),
  }),
});

const standardTexts: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
};

function refusalOf(fault: Extract<Fault, { kind: 'refuse' }>): Answer {
  const { code, retryAfter } = fault;
  const standard = code === 429 ? `Too Many Requests: retry after ${retryAfter ?? 1}` : standardTexts[code];
  const description = fault.description ?? standard ?? 'Bad Request';
  return refusal(new ApiError(code, description, code === 429 ? { retry_after: retryAfter ?? 1 } : undefined));
}

/** The HTTP face of the simulator: `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
export class ApiServer extends LoopbackServer {
  readonly #options: ApiServerOptions;

  constructor(options: ApiServerOptions) {
    super((request, response) => this.#handle(request, response));
    this.#options = options;
  }

  /** Runs a method for a bot as if it had called, without HTTP; the answer to a webhook comes this way. */
  async run(bot: Bot, method: string, params: Params, signal = this.stopping): Promise<unknown> {
    const { world, flood } = this.#options;
    return methodNamed(method)({ world, bot, params, flood: flood(bot), signal });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = preciseNow();
    const url = new URL(request.url ?? '/', 'http://localhost');
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(url.pathname);
    if (file !== null) {
      await this.#download(response, file[1] ?? '', file[2] ?? '');
      return;
    }
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(?:test\/)?([^/]+)$/.exec(url.pathname) ?? [];
    const body = await readBody(request);
    const bot = this.#botOf(token);
    if (bot instanceof ApiError) {
      send(response, refusal(bot));
      return;
    }
    const readAt = preciseNow();
    const contentType = request.headers['content-type'] ?? '';
    try {
      const params = readParams(body, contentType, url.searchParams);
      const record: CallRecord = { bot: bot.user.username ?? '', method, params: params.values, at, readAt };
      this.#options.calls.add(record);
      response.on('finish', () => {
        record.doneAt = preciseNow();
        record.status = response.statusCode;
      });
      await this.#answer(bot, method, params, response, record);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      send(response, refusal(error));
    }
  }

  async #answer(bot: Bot, method: string, params: Params, response: ServerResponse, record: CallRecord): Promise<void> {
    const fault = this.#options.faults.take(method);
    const cut = (): void => {
      record.status = 0;
      response.destroy();
    };
    switch (fault?.kind) {
      case undefined:
        break;
      case 'refuse':
        send(response, refusalOf(fault));
        return;
      case 'raw':
        send(response, fault, fault.contentType ?? 'text/html');
        return;
      case 'redirect':
        response.writeHead(302, { location: fault.location }).end();
        return;
      case 'hang':
        return;
      case 'delay':
        await sleep(fault.ms, undefined, { signal: this.stopping });
        break;
      case 'drop':
        if (fault.processed) await this.#result(bot, method, params, response);
        cut();
        return;
      default:
        fault satisfies never;
    }
    send(response, await this.#result(bot, method, params, response));
  }

  async #result(bot: Bot, method: string, params: Params, response: ServerResponse): Promise<Answer> {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    response.once('close', leave);
    this.stopping.addEventListener('abort', leave, { once: true });
    try {
      return ok(await this.run(bot, method, params, gone.signal));
    } catch (error) {
      if (error instanceof ApiError) return refusal(error);
      throw error;
    } finally {
      response.off('close', leave);
      this.stopping.removeEventListener('abort', leave);
    }
  }

  async #download(response: ServerResponse, token: string, path: string): Promise<void> {
    const bot = this.#botOf(token);
    const file = this.#options.world.files.at(decodeURIComponent(path));
    if (bot instanceof ApiError || file === undefined) {
      send(response, refusal(bot instanceof ApiError ? bot : new ApiError(404, 'Not Found')));
      return;
    }
    const fault = this.#options.faults.take('download');
    if (fault?.kind === 'delay') await sleep(fault.ms, undefined, { signal: this.stopping });
    else if (fault?.kind === 'raw') {
      send(response, fault, fault.contentType ?? 'text/html');
      return;
    } else if (fault?.kind === 'refuse') {
      send(response, refusalOf(fault));
      return;
    } else if (fault?.kind === 'redirect') {
      response.writeHead(302, { location: fault.location }).end();
      return;
    } else if (fault?.kind === 'drop') {
      response.writeHead(200, { 'content-length': file.bytes.length });
      response.write(file.bytes.subarray(0, file.bytes.length >> 1), () => response.destroy());
      return;
    } else if (fault?.kind === 'hang') return;
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.bytes.length });
    response.end(file.bytes);
  }

  /** As on the real server, nonsense is not found, and a well-formed but wrong token is refused. */
  #botOf(token: string): Bot | ApiError {
    const decoded = decodeURIComponent(token);
    const bot = this.#options.world.bots.find((candidate) => candidate.token === decoded);
    if (bot !== undefined) return bot;
    return /^\d+:[\w-]+$/.test(decoded) ? new ApiError(401, 'Unauthorized') : new ApiError(404, 'Not Found');
  }
}

function send(response: ServerResponse, { status, body }: Answer, contentType = 'application/json'): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
