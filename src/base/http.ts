import { AntlerError, type ErrorCode } from './errors.ts';
import { type Language, languageOf } from './sentences.ts';

/** A JSON answer that no cache keeps. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

/** The one shape in which our HTTP API says no: `{"error": {"code", "message"}}`. */
export function failureResponse(
  status: number,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return jsonResponse(status, { error: { code, message } }, headers);
}

const statusOf: Partial<Record<ErrorCode, number>> = {
  bad_input: 400,
  unauthorized: 401,
  no_credit: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
  timeout: 504,
};

/** Answers with what an {@link AntlerError} says; its code chooses the status, 500 where none fits. */
export function errorResponse(error: AntlerError): Response {
  return failureResponse(statusOf[error.code] ?? 500, error.code, error.message);
}

/**
 * Reads a body of at most `maxBytes`, counted while it comes in, so that a body without a length cannot fill the memory
 * either. Throws `too_large`.
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return collectBytes(request.body ?? [], maxBytes);
}

/**
 * Reads a body whose sender still has to be proven by it. Undefined when it is larger than `maxBytes` or breaks off: what
 * nobody can check nobody has signed, and strangers are not told the limit.
 */
export async function readUnproven(request: Request, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await readBytes(request, maxBytes);
  } catch {
    return undefined;
  }
}

/** Joins what comes in pieces; as soon as there are more than `maxBytes`, the rest is left alone. Throws `too_large`. */
export async function collectBytes(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of pieces) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (maxBytes: number): AntlerError =>
  new AntlerError('too_large', `There are more than ${maxBytes} bytes.`);

/** Reads a JSON body of at most `maxBytes`. Throws `too_large` or `bad_input`. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  return parseJson(await readBytes(request, maxBytes));
}

/** Something between here and a server answers with a page of its own: an error, a login, a warning. No file is that. */
export const isPage = ({ headers }: Response): boolean =>
  headers.get('content-disposition') === null && /^text\/html\b/i.test(headers.get('content-type') ?? '');

/** Reads bytes as JSON in UTF-8. Throws `bad_input`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AntlerError('bad_input', 'The body is not JSON in UTF-8.', { cause });
  }
}

/** The language of an `Accept-Language` header that we speak; weights count, ties go to what is named first. */
export function acceptedLanguage(header: string | null): Language {
  return languageOf(languageTag(header));
}

/** The tag a browser likes best, e.g. `zh-CN`; undefined when it names none. */
export function languageTag(header: string | null): string | undefined {
  const wishes = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((wish) => {
      const [tag = '', ...parameters] = wish.trim().split(';');
      const weight = parameters
        .find((parameter) => parameter.trim().startsWith('q='))
        ?.trim()
        .slice(2);
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) || 0 };
    });
  const best = wishes.filter(({ tag, weight }) => /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) && weight > 0);
  return best.sort((a, b) => b.weight - a.weight)[0]?.tag;
}
