import { fileNameIn } from '../../../src/base/disposition.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import { collectBytes, isPage } from '../../../src/base/http.ts';
import { pictureKind } from '../../../src/base/picture.ts';
import type { InboundFile } from '../../../src/channel/message.ts';
import type { FetchedFile, FetchOptions } from '../../../src/channel/port.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { decryptMedia, encryptedSize, isMediaKey } from '../crypto/media.ts';
import { networkError } from '../errors.ts';
import { MEDIA_TIMEOUT_MS } from '../limits.ts';
import { readFileId } from './file-id.ts';

/**
 * Fetches the bytes of a file that people have sent to an AI bot. The address is signed and needs no token of ours.
 * @param ownKey the callback's EncodingAESKey, for files that come without a key of their own
 */
export async function fetchFile(
  file: InboundFile,
  ownKey: string | undefined,
  { maxBytes, signal }: FetchOptions,
): Promise<FetchedFile> {
  const source = readFileId(file.id);
  const key = source?.key ?? ownKey;
  if (source === null || key === undefined || !isMediaKey(key))
    throw new AntlerError('not_found', 'This is no file of WeCom’s.');
  const { bytes, name } = await download(source.url, encryptedSize(maxBytes), signal);
  const content = decryptMedia(bytes, key);
  if (content.length > maxBytes) throw new AntlerError('too_large', `The file is larger than ${maxBytes} bytes.`);
  const picture = file.kind === 'image' ? pictureKind(content) : undefined;
  const named = name === undefined ? file.name : safeFileName(name, file.name);
  if (picture === undefined) return { content, name: named };
  return { content, mime: picture.mime, name: `${named.replace(/\.\w+$/, '')}.${picture.extension}` };
}

interface Downloaded {
  readonly bytes: Buffer;
  /** As the header has it: nothing says that it is safe. */
  readonly name: string | undefined;
}

async function download(url: string, maxBytes: number, signal: AbortSignal): Promise<Downloaded> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(MEDIA_TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { signal: timeout });
    if (response.status !== 200 || isPage(response)) {
      await response.body?.cancel();
      throw gone(response.status);
    }
    const name = fileNameIn(response.headers.get('content-disposition'));
    return { bytes: await collectBytes(response.body ?? [], maxBytes), name };
  } catch (thrown) {
    if (signal.aborted) throw new AntlerError('cancelled', 'The download was cancelled.');
    throw networkError(thrown, { idempotent: true });
  }
}

function gone(status: number): AntlerError {
  if (status === 200) return new AntlerError('unavailable', 'A page came instead of the file.', { retryable: true });
  if (status >= 500 || status === 429)
    return new AntlerError('unavailable', `WeCom answers ${status} instead of the file.`, { retryable: true });
  return new AntlerError(
    'not_found',
    `WeCom does not have the file any more (${status}); its addresses last five minutes.`,
  );
}
