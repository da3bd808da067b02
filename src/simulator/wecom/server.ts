import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallLog } from '../kit/call-log.ts';
import { LoopbackServer } from '../kit/loopback-server.ts';
import { parseMultipart } from '../kit/multipart.ts';
import { type Doorkeeper, serveWebSockets } from '../websocket/index.ts';
import type { ApiAnswer, ApiRequest } from './api.ts';
import { ApiError } from './api-error.ts';
import type { CallRecord } from './calls.ts';
import type { Faults } from './faults.ts';

export interface ServerOptions {
  readonly routes: ReadonlyMap<string, (request: ApiRequest) => ApiAnswer>;
  /** Files of people, encrypted, by the last part of their path; undefined: gone. */
  readonly download: (id: string) => { readonly name: string; readonly content: Uint8Array } | undefined;
  readonly doorkeeper: Doorkeeper;
  readonly faults: Faults;
  readonly calls: CallLog<CallRecord>;
  readonly now: () => number;
}

interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The HTTP face of the simulator; sockets are taken at any path. */
export function createServer(options: ServerOptions): LoopbackServer {
  const server = new LoopbackServer((request, response) => handle(request, response, options));
  serveWebSockets(server.server, options.doorkeeper);
  return server;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, download, faults, calls, now }: ServerOptions,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', 'http://localhost');
  const file = /^\/download\/([\w-]+)$/.exec(url.pathname)?.[1];
  if (file !== undefined) return send(response, fileAnswer(download(file)));
  const method = url.pathname.replace(/^\/cgi-bin\//, '');
  const type = request.headers['content-type'] ?? '';
  const multipart = type.startsWith('multipart/form-data') ? parseMultipart(bytes, type) : undefined;
  const read: ApiRequest = {
    query: Object.fromEntries(url.searchParams),
    body: multipart?.fields ?? jsonOf(bytes),
    uploads: multipart?.uploads ?? new Map(),
  };
  const record: CallRecord = { method, body: read.body, query: read.query, at: now() };
  calls.add(record);
  const fault = faults.take(method);
  const run = (): Answer => {
    const answer = answered(routes.get(method), read);
    record.errcode = answer.errcode;
    return answer;
  };
  switch (fault?.kind) {
    case undefined:
      return send(response, run());
    case 'refuse':
      return send(response, refusal(fault.errcode, fault.errmsg ?? 'refused'));
    case 'raw':
      return send(response, { status: fault.status, body: fault.body, headers: { 'content-type': 'text/html' } });
    case 'silent':
      if (fault.processed) run();
      return;
    case 'drop':
      if (fault.processed) run();
      response.destroy();
      return;
    default:
      fault satisfies never;
  }
}

function answered(
  route: ((request: ApiRequest) => ApiAnswer) | undefined,
  request: ApiRequest,
): Answer & { readonly errcode: number } {
  if (route === undefined) return { status: 404, body: 'not found', errcode: 404 };
  try {
    const answer = route(request);
    if ('json' in answer) return { ...json({ errcode: 0, errmsg: 'ok', ...answer.json }), errcode: 0 };
    return { ...fileAnswer(answer.file), errcode: 0 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...refusal(error.errcode, error.message), errcode: error.errcode };
  }
}

function fileAnswer(file: { readonly name: string; readonly content: Uint8Array } | undefined): Answer {
  if (file === undefined) return { status: 404, body: '' };
  return {
    status: 200,
    body: file.content,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    },
  };
}

const json = (value: object): Answer => ({ status: 200, body: JSON.stringify(value) });
const refusal = (errcode: number, errmsg: string): Answer => json({ errcode, errmsg });

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
