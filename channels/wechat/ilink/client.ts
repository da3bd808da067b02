import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { AntlerError } from '../../../src/base/errors.ts';
import { collectBytes } from '../../../src/base/http.ts';
import { ILINK_ANSWER_MAX_BYTES, ILINK_CALL_TIMEOUT_MS } from '../limits.ts';
import { httpError, networkError, refusalIn, unanswered } from './errors.ts';
import { parseLossless } from './json.ts';
import { verdictShape } from './wire.ts';

export interface CallOptions {
  /** Of a login. Without one: a call that needs none. */
  readonly token?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Making the call twice does no harm. Default: false. */
  readonly idempotent?: boolean;
}

/** The version of Tencent's client whose protocol this is; the server wants to know one. */
const CLIENT_VERSION = '2.4.9';
const BASE_INFO = { channel_version: CLIENT_VERSION, bot_agent: 'Antler/1.0' } as const;

const APP_HEADERS = {
  'ilink-app-id': 'bot',
  'ilink-app-clientversion': String(
    CLIENT_VERSION.split('.').reduce((sum, part) => sum * 256 + Number(part), 0), // 0x00MMNNPP
  ),
} as const;

/** Posts JSON to `path` below `root` and reads the answer. Throws what `errors.ts` knows, and `cancelled`. */
export function post<Shape extends z.ZodType>(
  root: string,
  path: string,
  body: object,
  shape: Shape,
  options: CallOptions = {},
): Promise<z.output<Shape>> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    authorizationtype: 'ilink_bot_token',
    // Anew for each request, as the protocol wants it.
    'x-wechat-uin': Buffer.from(String(randomBytes(4).readUInt32BE())).toString('base64'),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  const init = { method: 'POST', headers, body: JSON.stringify({ ...body, base_info: BASE_INFO }) };
  return call(below(root, path), init, shape, options);
}

/** As {@link post}, without a body. */
export function get<Shape extends z.ZodType>(
  root: string,
  path: string,
  shape: Shape,
  options: CallOptions = {},
): Promise<z.output<Shape>> {
  return call(below(root, path), { method: 'GET', headers: {} }, shape, options);
}

const below = (root: string, path: string): URL => new URL(path, root.endsWith('/') ? root : `${root}/`);

interface Init {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

async function call<Shape extends z.ZodType>(
  url: URL,
  init: Init,
  shape: Shape,
  { signal, timeoutMs = ILINK_CALL_TIMEOUT_MS, idempotent = false }: CallOptions,
): Promise<z.output<Shape>> {
  const what = url.pathname.split('/').at(-1) ?? '';
  if (signal?.aborted) throw new AntlerError('cancelled', `${what} was cancelled.`);
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const said = await answer(url, init, either).catch((thrown: unknown) => {
    if (signal?.aborted && idempotent) throw new AntlerError('cancelled', `${what} was cancelled.`);
    if (either.aborted) throw timedOut(what, idempotent);
    throw networkError(thrown, { idempotent });
  });
  if (said.status !== 200) throw httpError(said.status, { idempotent });
  const verdict = verdictShape.safeParse(said.body);
  if (!verdict.success) throw unanswered(`What answers ${what} at api_root is not iLink.`, idempotent);
  const refusal = refusalIn(verdict.data);
  if (refusal !== null) throw refusal;
  const read = shape.safeParse(said.body);
  if (!read.success) throw unanswered(`WeChat’s answer to ${what} is not understood.`, idempotent);
  return read.data;
}

const timedOut = (what: string, idempotent: boolean): AntlerError =>
  idempotent
    ? new AntlerError('timeout', `WeChat did not answer ${what} in time.`, { retryable: true })
    : new AntlerError('uncertain', `WeChat did not answer ${what} in time.`);

/** `body` is undefined when it is no JSON. The token goes nowhere else: redirects are not followed. */
async function answer(url: URL, init: Init, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    ...init,
    headers: { ...init.headers, ...APP_HEADERS },
    redirect: 'manual',
    signal,
  });
  const bytes = await collectBytes(response.body ?? [], ILINK_ANSWER_MAX_BYTES);
  try {
    return { status: response.status, body: parseLossless(bytes.toString('utf8')) };
  } catch {
    return { status: response.status, body: undefined };
  }
}
