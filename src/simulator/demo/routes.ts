import { readFile } from 'node:fs/promises';
import { AntlerError } from '../../base/errors.ts';
import { errorResponse, failureResponse, readJson } from '../../base/http.ts';
import type { TelegramSimulator } from '../telegram/index.ts';
import { actionSchema, perform } from './actions.ts';
import type { Cast } from './cast.ts';
import { pageEvent } from './feed.ts';
import { type PageEvent, snapshotOf } from './view.ts';

const folder = new URL('./browser/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
/** A closed list, so that no path can lead anywhere else. */
const files: ReadonlySet<string> = new Set([
  'index.html',
  'style.css',
  ...['main', 'pane', 'message', 'composer', 'suggestions', 'entities', 'dom', 'words'].map((name) => `${name}.js`),
]);

const pageHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const maxBodyBytes = 64 * 1024;
/** Keeps proxies and browsers from taking a quiet stream for a dead one. */
const heartbeatMs = 20_000;

export interface Routes {
  fetch(request: Request): Promise<Response>;
  /** Ends every open stream. */
  close(): void;
}

/** The demo page's HTTP: its files, its stream of events, and what people do. */
export function demoRoutes(telegram: TelegramSimulator, cast: Cast): Routes {
  const streams = new Set<() => void>();
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      if (!isOwn(request, url)) return failureResponse(403, 'forbidden', 'Another page may not use this one.');
      if (request.method === 'GET' && url.pathname === '/events') return eventStream(telegram, cast, streams);
      if (request.method === 'POST' && url.pathname === '/actions') return act(request, telegram, cast);
      if (request.method === 'GET') return file(url.pathname === '/' ? 'index.html' : url.pathname.slice(1));
      return failureResponse(404, 'not_found', 'There is nothing here.');
    },
    close: () => {
      for (const end of streams) end();
    },
  };
}

/** Requests that other web pages cause carry their origin, or, by a rebound name, a host that is not an address. */
function isOwn(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin');
  const named = url.hostname !== 'localhost' && /[a-z]/i.test(url.hostname) && !url.hostname.startsWith('[');
  return !named && (origin === null || origin === url.origin);
}

async function file(name: string): Promise<Response> {
  if (!files.has(name)) return failureResponse(404, 'not_found', 'There is nothing here.');
  const text = await readFile(new URL(name, folder), 'utf8');
  return new Response(text, { headers: { ...pageHeaders, 'content-type': types[name.split('.').at(-1) ?? ''] ?? '' } });
}

async function act(request: Request, telegram: TelegramSimulator, cast: Cast): Promise<Response> {
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    return failureResponse(415, 'bad_input', 'The body must be JSON.');
  try {
    const action = actionSchema.safeParse(await readJson(request, maxBodyBytes));
    if (!action.success) return failureResponse(400, 'bad_input', 'That is nothing a person can do here.');
    perform(action.data, cast, telegram);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof AntlerError) return errorResponse(error);
    throw error;
  }
}

/** A snapshot first, also after each reconnection, then what happens. */
function eventStream(telegram: TelegramSimulator, cast: Cast, streams: Set<() => void>): Response {
  const encoder = new TextEncoder();
  let detach = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => controller.enqueue(encoder.encode(`${text}\n\n`));
      const send = (event: PageEvent): void => write(`data: ${JSON.stringify(event)}`);
      const unsubscribe = telegram.events.subscribe((happened) => {
        const event = pageEvent(happened, cast);
        if (event !== undefined) send(event);
      });
      const heartbeat = setInterval(() => write(': still here'), heartbeatMs);
      const end = (): void => {
        detach();
        controller.close();
      };
      detach = () => {
        streams.delete(end);
        unsubscribe();
        clearInterval(heartbeat);
      };
      streams.add(end);
      send({ type: 'snapshot', snapshot: snapshotOf(cast) });
    },
    cancel: () => detach(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  });
}
