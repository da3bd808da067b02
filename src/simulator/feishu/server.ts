import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallLog } from '../kit/call-log.ts';
import type { Faults } from '../kit/faults.ts';
import { LoopbackServer } from '../kit/loopback-server.ts';
import { parseMultipart, type Upload } from '../kit/multipart.ts';
import { serveWebSockets } from '../websocket/index.ts';
import { ApiError } from './api-error.ts';
import type { Fault } from './faults.ts';
import type { Flood } from './flood.ts';
import { type App, isRecord } from './model.ts';
import { routeOf, routes } from './routes/index.ts';
import type { LongConnections } from './transport/long-connections.ts';
import type { World } from './world.ts';

/** One request, as the server saw it. */
export interface CallRecord {
  readonly app: string;
  /** E.g. `POST /im/v1/messages/:id/reply`. */
  readonly method: string;
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The code of the answer; absent while the call waits, hangs or was cut. */
  code?: number;
}

export interface ApiServerOptions {
  readonly world: World;
  readonly connections: LongConnections;
  readonly faults: Faults<Fault>;
  readonly calls: CallLog<CallRecord>;
  readonly flood: Flood | undefined;
  /** The HTTP status of refusals: the platform uses both, by API. */
  readonly refusalStatus: 200 | 400;
}

interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

interface Read {
  readonly name: string;
  readonly ids: readonly string[];
  readonly url: URL;
  readonly body: Record<string, unknown>;
  readonly bodyBytes: number;
  readonly uploads: ReadonlyMap<string, Upload>;
  readonly token: string;
  readonly host: string;
}

const TOKEN = 'POST /auth/v3/tenant_access_token/internal';
/** The SDK sends files without a name. */
const FILE_PARTS = ['image', 'file'];

const ENDPOINT = 'POST /callback/ws/endpoint';

/** The HTTP face of the simulator. */
export class ApiServer extends LoopbackServer {
  readonly #options: ApiServerOptions;

  constructor(options: ApiServerOptions) {
    super((request, response) => this.#handle(request, response));
    this.#options = options;
    serveWebSockets(this.server, options.connections.doorkeeper);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { world, calls, faults } = this.#options;
    const read = await readRequest(request);
    const app = this.#appOf(read);
    const record: CallRecord = {
      app: app?.appId ?? '',
      method: read.name,
      ids: read.ids,
      query: Object.fromEntries(read.url.searchParams),
      body: read.body,
      at: world.now(),
    };
    calls.add(record);
    const fault = faults.take(read.name);
    switch (fault?.kind) {
      case undefined:
        break;
      case 'refuse':
        send(
          response,
          this.#refusal(new ApiError(fault.code, fault.message ?? 'refused', fault.resetSeconds), fault.status),
        );
        return;
      case 'raw':
        send(response, { status: fault.status, body: fault.body, headers: { 'content-type': 'text/html' } });
        return;
      case 'hang':
        return;
      case 'delay':
        await sleep(fault.ms, undefined, { signal: this.stopping });
        break;
      case 'drop':
        if (fault.processed) this.#answer(read, app, record);
        response.destroy();
        return;
      default:
        fault satisfies never;
    }
    send(response, this.#answer(read, app, record));
  }

  #answer(read: Read, app: App | undefined, record: CallRecord): Answer {
    try {
      const answer = this.#run(read, app);
      record.code = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      record.code = error.code;
      return this.#refusal(error, error.code === 99991663 ? 400 : undefined);
    }
  }

  #run(read: Read, app: App | undefined): Answer {
    const { world, connections, flood } = this.#options;
    if (read.name === TOKEN) return json(200, issueToken(world, read.body));
    if (read.name === ENDPOINT) return json(200, connections.endpoint(read.host, read.body));
    if (app === undefined) throw new ApiError(99991663, 'Invalid access token for authorization.');
    const route = routes.get(read.name);
    if (route === undefined) return { status: 404, body: '404 page not found' };
    const { ids, body, bodyBytes, uploads, url } = read;
    const answer = route({ world, app, flood, ids, query: url.searchParams, body, bodyBytes, uploads });
    if ('bytes' in answer) return { status: 200, body: answer.bytes, headers: { ...answer.headers } };
    return json(200, 'whole' in answer ? answer.whole : { code: 0, msg: 'success', data: answer.data });
  }

  #appOf({ token }: Read): App | undefined {
    const { world } = this.#options;
    return world.apps.find(({ tokens }) => (tokens.get(token) ?? 0) > world.now());
  }

  #refusal({ code, message, resetSeconds }: ApiError, status: number = this.#options.refusalStatus): Answer {
    const headers = resetSeconds === undefined ? {} : { 'x-ogw-ratelimit-reset': String(resetSeconds) };
    const limited = resetSeconds !== undefined && status === this.#options.refusalStatus && code === 99991400;
    return { ...json(limited ? 400 : status, { code, msg: message, error: { log_id: '20260101000000' } }), headers };
  }
}

function issueToken(world: World, { app_id: appId, app_secret: secret }: Record<string, unknown>): object {
  const app = world.apps.find((candidate) => candidate.appId === appId);
  if (app === undefined) return { code: 10003, msg: 'invalid param' };
  if (app.secret !== secret) return { code: 10014, msg: 'app secret invalid' };
  const token = `t-${world.id('g')}`;
  app.tokens.set(token, world.now() + world.limits.tokenSeconds * 1_000);
  return { code: 0, msg: 'ok', tenant_access_token: token, expire: world.limits.tokenSeconds };
}

/** The whole request, joined before it is decoded, so that no character is cut by a packet's end. */
async function readRequest(request: IncomingMessage): Promise<Read> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', 'http://localhost');
  const path = url.pathname.replace(/^\/open-apis/, '');
  const type = request.headers['content-type'] ?? '';
  const multipart = type.startsWith('multipart/form-data') ? parseMultipart(bytes, type, FILE_PARTS) : undefined;
  return {
    ...routeOf(request.method ?? 'GET', path),
    url,
    body: multipart?.fields ?? jsonOf(bytes),
    bodyBytes: bytes.length,
    uploads: multipart?.uploads ?? new Map(),
    token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
    host: request.headers.host ?? 'localhost',
  };
}

function jsonOf(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
