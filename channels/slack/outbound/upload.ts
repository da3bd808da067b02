import { AntlerError } from '../../../src/base/errors.ts';
import { slackError } from '../errors.ts';
import { UPLOAD_TIMEOUT_MS } from '../limits.ts';

/**
 * Puts bytes where Slack wants them. The address itself is the right to do so: the bot's token has no business there,
 * though the SDK would send it along. Nobody sees the file before it is completed, so a failure may be repeated.
 */
export async function upload(url: string, content: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bodyOf(content),
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    await response.body?.cancel();
    if (response.ok) return;
    if (response.status === 413) throw new AntlerError('too_large', 'The file is larger than Slack takes.');
    throw new AntlerError('unavailable', `Slack did not take the bytes (${response.status}).`, { retryable: true });
  } catch (thrown) {
    if (signal?.aborted) throw new AntlerError('cancelled', 'The upload was called off.');
    throw slackError(thrown, { idempotent: true });
  }
}

/** The same bytes, which are copied only if another thread could change them meanwhile. */
function bodyOf(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = content;
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(content);
}
