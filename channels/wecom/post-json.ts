import { z } from 'zod';
import { AntlerError } from '../../src/base/errors.ts';
import { collectBytes } from '../../src/base/http.ts';
import { type CallKind, httpError, networkError, refusal, unanswered } from './errors.ts';
import { ANSWER_MAX_BYTES } from './limits.ts';

export interface PostOptions extends CallKind {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What every answer of WeCom's begins with. */
const verdictShape = z.looseObject({ errcode: z.number().catch(0), errmsg: z.string().catch('') });

/** Posts JSON, or gets without a body, and reads the answer. Throws what `errors.ts` knows, and `cancelled`. */
export async function postJson(url: URL, body: object | undefined, options: PostOptions): Promise<unknown> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return readAnswer(url, body === undefined ? { method: 'GET' } : json, options);
}

/** Makes a request whose answer is JSON with an `errcode`. */
export async function readAnswer(
  url: URL,
  init: RequestInit,
  { signal, timeoutMs, idempotent }: PostOptions,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  let status: number;
  let bytes: Buffer;
  try {
    // The address holds a token, so it is taken nowhere else: redirects are not followed.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: either });
    status = response.status;
    bytes = await collectBytes(response.body ?? [], ANSWER_MAX_BYTES);
  } catch (thrown) {
    if (signal?.aborted && idempotent) throw new AntlerError('cancelled', 'A call to WeCom was cancelled.');
    if (either.aborted) throw unanswered('WeCom did not answer in time.', { idempotent });
    throw networkError(thrown, { idempotent });
  }
  if (status !== 200) throw httpError(status, { idempotent });
  const answer = jsonOf(bytes);
  const verdict = verdictShape.safeParse(answer);
  if (!verdict.success) throw unanswered('What answers is not WeCom.', { idempotent });
  if (verdict.data.errcode !== 0) throw refusal(verdict.data.errcode, verdict.data.errmsg);
  return answer;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
