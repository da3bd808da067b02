import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import {
  acceptedLanguage,
  errorResponse,
  failureResponse,
  jsonResponse,
  languageTag,
  readJson,
} from '../../../src/base/http.ts';
import { staticFiles } from '../../../src/base/static-files.ts';
import type { AdapterContext } from '../../../src/channel/port.ts';
import type { WebConfig } from '../config.ts';
import { limits } from '../limits.ts';
import { inboundOf, owner, readPost } from '../normalize/post.ts';
import { writeSignal } from '../outbound/signal.ts';
import { viewOf } from '../outbound/view.ts';
import { words } from '../page/words.js';
import { fileRoutes } from './files.ts';
import type { ServerEvent, Streams } from './streams.ts';

const partNames = [
  'activity.js',
  'api.js',
  'attachments.js',
  'chat.css',
  'composer.js',
  'dom.js',
  'events.js',
  'files.js',
  'history.js',
  'id.js',
  'main.js',
  'message.js',
  'outbox.js',
  'setup.js',
  'words.js',
];

const UPLOAD = /^\/api\/v1\/chat\/messages\/([A-Za-z0-9_-]{8,64})\/files\/([A-Za-z0-9_-]{1,64})$/;
const DOWNLOAD = /^\/api\/v1\/chat\/files\/([A-Za-z0-9_-]{1,64})$/;

type Handler = (request: Request, url: URL) => Promise<Response> | Response;

/**
 * The page and its API, as a function from request to answer; null for paths of others. Nobody gets here without the
 * owner's guard, so every request is the owner's.
 */
export function createRoutes(
  context: AdapterContext<WebConfig>,
  streams: Streams,
  topic: string,
): (request: Request) => Promise<Response | null> {
  const { hosted, channel, clock, log } = context;
  const uploaded = fileRoutes(context.hostedFiles);
  const parts = staticFiles(new URL('../page/', import.meta.url), partNames);

  const page: Handler = (request) => {
    const language = acceptedLanguage(request.headers.get('accept-language'));
    return parts.page('index.html', language, words[language]);
  };

  const history: Handler = async (_request, url) => {
    const limit = readCount(url, 'limit', limits.maxPageSize) ?? limits.pageSize;
    const before = readCount(url, 'before', Number.MAX_SAFE_INTEGER);
    // One more than asked for tells whether there are older ones.
    const found = await hosted.list(owner.chat, limit + 1, before);
    return jsonResponse(200, { messages: found.slice(-limit).map(viewOf), more: found.length > limit });
  };

  const post: Handler = async (request) => {
    const message = readPost(await readJson(request, limits.maxBodyBytes));
    const uploads = await uploaded.of(message.id, message.files);
    const stored = await hosted.append({
      id: message.id,
      chat: owner.chat,
      author: 'person',
      name: owner.name,
      markdown: message.text,
      at: clock.now(),
      ...(uploads.length === 0 ? {} : { files: uploads.map(([, kept]) => kept) }),
    });
    context.broadcast.publish(topic, writeSignal({ type: 'message', message: stored, answers: [], draft: false }));
    // What counts is what was stored first: a second post under the same id cannot say something else.
    const said = { id: stored.id, text: stored.markdown };
    const first = new Set(stored.files?.map(({ id }) => id));
    const files = uploads.flatMap(([file, { id }]) => (first.has(id) ? [file] : []));
    const language = languageTag(request.headers.get('accept-language'));
    try {
      await context.accept(inboundOf(said, { channel, sentAt: stored.at, language, files }));
    } catch (cause) {
      throw new AntlerError('unavailable', 'The message could not be taken in; send it again.', { cause });
    }
    return jsonResponse(202, { message: viewOf(stored) });
  };

  const stop: Handler = async () => {
    return jsonResponse(200, { stopped: await context.stopRun({ chat: owner.chat, chatKind: 'dm' }, owner.id) });
  };

  const state: Handler = async () => {
    return jsonResponse(200, { busy: await context.isBusy({ chat: owner.chat, chatKind: 'dm' }, owner.id) });
  };

  const sync = async (lastSeq: number | undefined): Promise<ServerEvent> => {
    const found = await hosted.list(owner.chat, limits.pageSize + 1);
    const messages = found.slice(-limits.pageSize).map(viewOf);
    const [oldest, newest] = [messages[0], messages.at(-1)];
    // Edits have no number, so what was missed is read anew; a gap before it means: forget what you showed.
    const gap = lastSeq === undefined || (oldest !== undefined && oldest.seq > lastSeq);
    return {
      event: 'sync',
      data: { messages, more: found.length > limits.pageSize, gap },
      ...(newest === undefined ? {} : { id: newest.seq }),
    };
  };

  const events: Handler = (request, url) => {
    const last = Number(request.headers.get('last-event-id') ?? url.searchParams.get('after') ?? Number.NaN);
    return streams.open(owner.chat, async () => {
      try {
        return await sync(Number.isSafeInteger(last) ? last : undefined);
      } catch (error) {
        log.warn({ channel, error: asAntlerError(error).message }, 'could not read the history for an open page');
        throw error;
      }
    });
  };

  const routes: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    '/': { GET: page },
    '/api/v1/chat/messages': { GET: history, POST: post },
    '/api/v1/chat/state': { GET: state },
    '/api/v1/chat/stop': { POST: stop },
    '/api/v1/chat/events': { GET: events },
  };

  const routeOf = (pathname: string): Readonly<Record<string, Handler>> | undefined => {
    if (Object.hasOwn(routes, pathname)) return routes[pathname];
    const [, message, ref] = UPLOAD.exec(pathname) ?? [];
    if (message !== undefined && ref !== undefined)
      return { PUT: (request, { searchParams }) => uploaded.upload(request, message, ref, searchParams) };
    const [, id] = DOWNLOAD.exec(pathname) ?? [];
    return id === undefined ? undefined : { GET: () => uploaded.download(id) };
  };

  return async (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.pathname.startsWith('/web/'))
      return parts.part(url.pathname.slice('/web/'.length), request);
    const route = routeOf(url.pathname);
    if (route === undefined) return null;
    const handler = Object.hasOwn(route, request.method) ? route[request.method] : undefined;
    if (handler === undefined)
      return failureResponse(405, 'unsupported', 'This path does not take this method.', {
        allow: Object.keys(route).join(', '),
      });
    try {
      return await handler(request, url);
    } catch (thrown) {
      const error = asAntlerError(thrown);
      log.warn({ channel, path: url.pathname, code: error.code, error: detailOf(error) }, 'a request failed');
      return error === thrown ? errorResponse(error) : failureResponse(500, 'internal', 'Something went wrong here.');
    }
  };
}

const detailOf = (error: AntlerError): string =>
  error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;

/** A whole number of at least 1 from the query; larger ones become `most`. */
function readCount(url: URL, name: string, most: number): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new AntlerError('bad_input', `${name}: a whole number of at least 1`);
  return Math.min(Number(text), most);
}
