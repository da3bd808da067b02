import { AntlerError } from '../../../src/base/errors.ts';
import { CALL_TIMEOUT_MS } from '../limits.ts';
import { postJson } from '../post-json.ts';

/**
 * Sends what a callback's `response_url` takes: one answer within the hour.
 * https://developer.work.weixin.qq.com/document/path/101138
 *
 * @throws WecomError when it has had its answer or is too old; `uncertain`, `unavailable`
 */
export async function respond(url: string, body: object, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) throw new AntlerError('cancelled', 'The message was cancelled.');
  await postJson(new URL(url), body, { signal, timeoutMs: CALL_TIMEOUT_MS, idempotent: false });
}
