import { readFile } from 'node:fs/promises';
import { AntlerError } from '../../base/errors.ts';
import { errorResponse, failureResponse, readJson } from '../../base/http.ts';
import type { Playground } from '../play/port.ts';
import { actionSchema, MAX_FILE_BYTES, perform } from './actions.ts';
import { codeResponse, fileResponse } from './content.ts';
import { Feed } from './feed.ts';
import { playOf } from './stage.ts';
import { type PageEvent, snapshotOf } from './view.ts';

const folder = new URL('./browser/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
const scripts = [
  'main',
  'platform',
  'pane',
  'message',
  'looks',
  'composer',
  'attachment',
  'suggestions',
  'dom',
  'words',
];
/** A closed list, so that no path can lead anywhere else. */
const files: ReadonlySet<string> = new Set([
  'index.html',
  ...['page', 'chat', 'composer'].map((name) => `${name}.css`),
  ...scripts.map((name) => `${name}.js`),
]);

const pageHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** A file in base64, and words. */
const MAX_BODY_BYTES = Math.ceil((MAX_FILE_BYTES * 4) / 3) + 64 * 1024;
/** Keeps proxies and browsers from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 20_000;

export interface Routes {
  fetch(request: Request): Promise<Response>;
  /** Ends every open stream. */
  close(): void;
}

/** The demo page's HTTP: its files, its stream of events, what people do, and what they send each other. */
export function demoRoutes(plays: readonly Playground[]): Routes {
  const feed = new Feed(plays);
  const streams = new Set<() => void>();
  return {
    fetch: async (request) => {
      try {
        return await answer(request, plays, () => eventStream(plays, feed, streams));
      } catch (error) {
        if (error instanceof AntlerError) return errorResponse(error);
        throw error;
      }
    },
    close: () => {
      for (const end of streams) end();
      feed.stop();
    },
  };
}

async function answer(request: Request, plays: readonly Playground[], stream: () => Response): Promise<Response> {
  const url = new URL(request.url);
  if (!isOwn(request, url)) throw new AntlerError('forbidden', 'Another page may not use this one.');
  const [room = '', platform = '', id] = url.pathname.slice(1).split('/').map(decoded);
  if (request.method === 'POST' && url.pathname === '/actions') return act(request, plays);
  if (request.method !== 'GET') return nothingHere();
  if (url.pathname === '/events') return stream();
  if (room === 'files' && id !== undefined) return fileResponse(playOf(plays, platform), id);
  if (room === 'codes') return codeResponse(playOf(plays, platform));
  return pageFile(url.pathname === '/' ? 'index.html' : url.pathname.slice(1));
}

const nothingHere = (): Response => failureResponse(404, 'not_found', 'There is nothing here.');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AntlerError('bad_input', 'The address is not in UTF-8.');
  }
}

/** Requests that other web pages cause carry their origin, or, by a rebound name, a host that is not an address. */
function isOwn(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin');
  const named = url.hostname !== 'localhost' && /[a-z]/i.test(url.hostname) && !url.hostname.startsWith('[');
  return !named && (origin === null || origin === url.origin);
}

async function pageFile(name: string): Promise<Response> {
  if (!files.has(name)) return nothingHere();
  const text = await readFile(new URL(name, folder), 'utf8');
  return new Response(text, { headers: { ...pageHeaders, 'content-type': types[name.split('.').at(-1) ?? ''] ?? '' } });
}

async function act(request: Request, plays: readonly Playground[]): Promise<Response> {
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    return failureResponse(415, 'bad_input', 'The body must be JSON.');
  const action = actionSchema.safeParse(await readJson(request, MAX_BODY_BYTES));
  if (!action.success) throw new AntlerError('bad_input', 'That is nothing a person can do here.');
  await perform(action.data, plays);
  return new Response(null, { status: 204 });
}

/** A snapshot first, also after each reconnection, then what happens. */
function eventStream(plays: readonly Playground[], feed: Feed, streams: Set<() => void>): Response {
  const encoder = new TextEncoder();
  let detach = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string): void => controller.enqueue(encoder.encode(`${text}\n\n`));
      const send = (event: PageEvent): void => write(`data: ${JSON.stringify(event)}`);
      const unsubscribe = feed.subscribe(send);
      const heartbeat = setInterval(() => write(': still here'), HEARTBEAT_MS);
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
      send({ type: 'snapshot', snapshot: snapshotOf(plays) });
    },
    cancel: () => detach(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  });
}
