import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../kit/faults.ts';
import { LoopbackServer } from '../kit/loopback-server.ts';
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
export class SlackServer extends LoopbackServer {
  readonly #options: ServerOptions;

  constructor(options: ServerOptions) {
    super((request, response) => this.#handle(request, response));
    this.#options = options;
    serveWebSockets(this.server, ({ url }) => {
      const fault = options.faults.take('socket');
      if (fault?.kind === 'raw') return fault.status;
      if (fault?.kind === 'hang') return () => {}; // it opens, and nobody says hello
      const mode = options.socketFor(new URL(url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '');
      return mode === undefined ? 403 : (socket) => mode.connect(socket);
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, place = '', name = ''] = /^\/([a-z-]+)\/([^/]+)/.exec(url.pathname) ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const token = bearer(request);
    switch (place) {
      case 'api': {
        const params = Params.read(body, request.headers['content-type'] ?? '', url.searchParams);
        const known = token ?? params.string('token');
        const act = (): Answer => json(this.#options.api.answer(name, params, known));
        return this.#answer({ method: name, params: params.values, token: known }, act, response);
      }
      case 'files-pri': {
        const params = { file: name, authorization: request.headers.authorization ?? '' };
        return this.#answer({ method: 'download', params, token }, () => this.#download(name, token), response);
      }
      case 'upload': {
        const params = { file: name, authorization: request.headers.authorization ?? '' };
        const act = (): Answer => this.#upload(name, body, request);
        return this.#answer({ method: 'upload', params, token: undefined }, act, response);
      }
      case 'response': {
        const said = JSON.parse(body.toString()) as Record<string, unknown>;
        return send(response, { status: 200, headers: {}, body: this.#options.responses.respond(name, said) });
      }
      default:
        send(response, { status: 404, headers: {}, body: 'not found' });
    }
  }

  async #answer(
    { method, params, token }: Pick<CallRecord, 'method' | 'params'> & { readonly token: string | undefined },
    act: () => Answer,
    response: ServerResponse,
  ): Promise<void> {
    const { api, calls } = this.#options;
    const record: CallRecord = { app: api.appOf(token)?.name ?? '', method, params, at: Date.now() };
    calls.add(record);
    const answer = await this.#misbehave(method, response, act);
    record.status = answer === undefined ? 0 : answer.status;
    if (answer?.error !== undefined) record.error = answer.error;
    if (answer !== undefined) send(response, answer);
  }

  /** What is answered, if anything is, once a planned fault has had its way. */
  async #misbehave(name: string, response: ServerResponse, act: () => Answer): Promise<Answer | undefined> {
    const fault = this.#options.faults.take(name);
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'refuse':
        return json(refusal(new ApiError(fault.error, fault.details)));
      case 'limit':
        return json(refusal(new RateLimited(fault.retryAfter)));
      case 'raw':
        return {
          status: fault.status,
          headers: { 'content-type': fault.contentType ?? 'text/html' },
          body: fault.body,
        };
      case 'redirect':
        return { status: 302, headers: { location: fault.to }, body: '' };
      case 'hang':
        return undefined;
      case 'delay':
        await sleep(fault.ms, undefined, { signal: this.stopping });
        return act();
      case 'drop':
        if (fault.processed) act();
        response.destroy();
        return undefined;
      default:
        return fault satisfies never;
    }
  }

  #download(id: string, token: string | undefined): Answer {
    const { api, world } = this.#options;
    const app = api.appOf(token);
    const file = world.files.find((candidate) => candidate.id === id);
    if (app === undefined || !app.scopes.has('files:read'))
      return { status: 200, headers: { 'content-type': 'text/html' }, body: SIGN_IN_PAGE };
    if (file === undefined) return { status: 404, headers: {}, body: 'no such file' };
    return { status: 200, headers: { 'content-type': file.servedAs ?? file.mimetype }, body: file.bytes };
  }

  #upload(id: string, body: Buffer, request: IncomingMessage): Answer {
    const upload = this.#options.world.uploads.get(id);
    const isForm = (request.headers['content-type'] ?? '').startsWith('multipart/');
    if (upload === undefined || (!isForm && body.length !== upload.length))
      return { status: 400, headers: {}, body: 'bad upload' };
    upload.bytes = new Uint8Array(body);
    return { status: 200, headers: {}, body: `OK - ${body.length}` };
  }
}

const bearer = (request: IncomingMessage): string | undefined =>
  /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];

const json = (answer: Answer): Answer => ({
  ...answer,
  headers: { 'content-type': 'application/json; charset=utf-8', ...answer.headers },
});

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}
