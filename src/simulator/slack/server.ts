import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../kit/faults.ts';
import { serveWebSockets } from '../websocket/index.ts';
import { type Answer, type Api, refusal } from './api.ts';
import { ApiError, RateLimited } from './api-error.ts';
import type { CallRecord, Calls } from './calls.ts';
import type { SocketMode } from './delivery/socket-mode.ts';
import type { Fault } from './faults.ts';
import { Params } from './params.ts';
import type { Responses } from './responses.ts';
import type { World } from './world.ts';

export interface ServerOptions {
  readonly world: World;
  readonly api: Api;
  readonly responses: Responses;
  readonly faults: Faults<Fault>;
  readonly calls: Calls;
  /** Whose ticket it is; a ticket is used up by this. */
  readonly socketFor: (ticket: string) => SocketMode | undefined;
}

/** What somebody sees who fetches a file without a token: a page, with status 200. */
const SIGN_IN_PAGE = '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in</body></html>';

/** The HTTP face of the simulator: the Web API, files, response addresses and sockets. */
export class SlackServer {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #stopping = new AbortController();

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      // A caller that hangs up in the middle is the caller's business.
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    serveWebSockets(this.#server, ({ url }) => {
      const fault = options.faults.take('socket');
      if (fault?.kind === 'raw') return fault.status;
      if (fault?.kind === 'hang') return () => {}; // it opens, and nobody says hello
      const mode = options.socketFor(new URL(url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '');
      return mode === undefined ? 403 : (socket) => mode.connect(socket);
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

  /** Cuts every connection, as a restart of the server or a broken network does. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.dropConnections();
    await promise;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, place = '', name = ''] = /^\/([a-z-]+)\/([^/]+)/.exec(url.pathname) ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    switch (place) {
      case 'api':
        return this.#call(name, url, request, body, response);
      case 'files-pri':
        return this.#download(name, request, response);
      case 'upload':
        return this.#upload(name, body, request, response);
      case 'response':
        return send(
          response,
          200,
          this.#options.responses.respond(name, JSON.parse(body.toString()) as object as Record<string, unknown>),
        );
      default:
        send(response, 404, 'not found');
    }
  }

  async #call(
    method: string,
    url: URL,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const { api, calls } = this.#options;
    const params = Params.read(body, request.headers['content-type'] ?? '', url.searchParams);
    const token = bearer(request) ?? params.string('token');
    const record: CallRecord = { app: api.appOf(token)?.name ?? '', method, params: params.values, at: Date.now() };
    calls.add(record);
    const answer = await this.#misbehave(method, response, () => api.answer(method, params, token));
    record.status = answer === undefined ? 0 : answer.status;
    if (answer?.error !== undefined) record.error = answer.error;
    if (answer !== undefined)
      send(response, answer.status, answer.body, {
        'content-type': 'application/json; charset=utf-8',
        ...answer.headers,
      });
  }

  /** What is answered, if anything is, once a planned fault has had its way. */
  async #misbehave(name: string, response: ServerResponse, act: () => Answer): Promise<Answer | undefined> {
    const fault = this.#options.faults.take(name);
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'refuse':
        return refusal(new ApiError(fault.error, fault.details));
      case 'limit':
        return refusal(new RateLimited(fault.retryAfter));
      case 'raw':
        return {
          status: fault.status,
          headers: { 'content-type': fault.contentType ?? 'text/html' },
          body: fault.body,
        };
      case 'hang':
        return undefined;
      case 'delay':
        await sleep(fault.ms, undefined, { signal: this.#stopping.signal });
        return act();
      case 'drop':
        if (fault.processed) act();
        response.destroy();
        return undefined;
      default:
        return fault satisfies never;
    }
  }

  async #download(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { api, world, faults } = this.#options;
    const fault = faults.take('download');
    if (fault?.kind === 'raw')
      return send(response, fault.status, fault.body, { 'content-type': fault.contentType ?? 'text/html' });
    const app = api.appOf(bearer(request));
    const file = world.files.find((candidate) => candidate.id === id);
    if (app === undefined || !app.scopes.has('files:read'))
      return send(response, 200, SIGN_IN_PAGE, { 'content-type': 'text/html' });
    if (file === undefined) return send(response, 404, 'no such file');
    response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.bytes.length });
    response.end(file.bytes);
  }

  async #upload(id: string, body: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const upload = this.#options.world.uploads.get(id);
    const isForm = (request.headers['content-type'] ?? '').startsWith('multipart/');
    if (upload === undefined || (!isForm && body.length !== upload.length)) return send(response, 400, 'bad upload');
    upload.bytes = new Uint8Array(body);
    send(response, 200, `OK - ${body.length}`);
  }
}

function bearer(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, { 'content-type': 'text/plain', ...headers });
  response.end(body);
}
