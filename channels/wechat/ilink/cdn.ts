import { createCipheriv, createDecipheriv } from 'node:crypto';
import { AntlerError } from '../../../src/base/errors.ts';
import { collectBytes, isPage } from '../../../src/base/http.ts';
import type { FetchOptions } from '../../../src/channel/port.ts';
import { ILINK_UPLOAD_TIMEOUT_MS } from '../limits.ts';
import { networkError } from './errors.ts';
import type { FileSource } from './file-id.ts';
import { trusted } from './hosts.ts';

/** Files lie encrypted (AES-128-ECB, PKCS#7) and are fetched without a token: whoever has address and key may read. */
const BLOCK_BYTES = 16;

/** What a file of `bytes` bytes is long once it is encrypted. */
export const encryptedSize = (bytes: number): number => (Math.floor(bytes / BLOCK_BYTES) + 1) * BLOCK_BYTES;

export function encrypt(content: Uint8Array, key: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-128-ecb', key, null);
  return Buffer.concat([cipher.update(content), cipher.final()]);
}

/** @throws AntlerError `not_found` when the key does not fit, or bytes are missing */
export function decrypt(content: Uint8Array, key: Uint8Array): Buffer {
  try {
    const decipher = createDecipheriv('aes-128-ecb', key, null);
    return Buffer.concat([decipher.update(content), decipher.final()]);
  } catch (cause) {
    throw new AntlerError('not_found', 'The file cannot be decrypted: it is cut off, or its key is another.', {
      cause,
    });
  }
}

/** Fetches a file and decrypts it. */
export async function download(
  cdnRoot: string,
  { url, param, key }: FileSource,
  { maxBytes, signal }: FetchOptions,
): Promise<Buffer> {
  const address = url ?? (param === undefined ? null : below(cdnRoot, 'download', { encrypted_query_param: param }));
  if (address === null || trusted(address, cdnRoot) === null)
    throw new AntlerError('forbidden', 'The file lies on a foreign host; it was not fetched.');
  const bytes = await fetchBytes(address, key === undefined ? maxBytes : encryptedSize(maxBytes), signal);
  const content = key === undefined ? bytes : decrypt(bytes, Buffer.from(key, 'hex'));
  if (content.length > maxBytes) throw new AntlerError('too_large', `The file is larger than ${maxBytes} bytes.`);
  return content;
}

async function fetchBytes(address: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(address, { redirect: 'manual', signal });
    if (response.status !== 200 || isPage(response)) {
      await response.body?.cancel();
      throw downloadRefused(response.status);
    }
    return await collectBytes(response.body ?? [], maxBytes);
  } catch (thrown) {
    if (signal.aborted) throw new AntlerError('cancelled', 'The download was cancelled.');
    throw networkError(thrown, { idempotent: true });
  }
}

function downloadRefused(status: number): AntlerError {
  if (status === 200) return new AntlerError('unavailable', 'A page came instead of the file.', { retryable: true });
  if (status >= 500 || status === 429)
    return new AntlerError('unavailable', `WeChat answers ${status} instead of the file.`, { retryable: true });
  return new AntlerError('not_found', `WeChat does not have the file any more (${status}).`);
}

/** Where and as what a file goes up; one of the two addresses is there. */
export interface UploadPlace {
  readonly fullUrl?: string | undefined;
  readonly param?: string | undefined;
  readonly fileKey: string;
}

/**
 * Puts encrypted bytes where messages can refer to them. Nobody sees them before a message does, so it may be repeated.
 * @returns what stands for the file in a message
 */
export async function upload(
  cdnRoot: string,
  { fullUrl, param, fileKey }: UploadPlace,
  content: Uint8Array,
  signal?: AbortSignal,
): Promise<string> {
  const address =
    fullUrl || (param ? below(cdnRoot, 'upload', { encrypted_query_param: param, filekey: fileKey }) : null);
  if (address === null) throw new AntlerError('unavailable', 'WeChat does not say where the file goes.');
  if (trusted(address, cdnRoot) === null)
    throw new AntlerError('forbidden', 'WeChat’s answer leads the upload to a foreign host; it was not followed.');
  const timeout = AbortSignal.timeout(ILINK_UPLOAD_TIMEOUT_MS);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(content),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    const standsFor = response.headers.get('x-encrypted-param');
    if (response.status === 200 && standsFor !== null && standsFor !== '') return standsFor;
    throw uploadRefused(response.status);
  } catch (thrown) {
    if (signal?.aborted) throw new AntlerError('cancelled', 'The upload was cancelled.');
    throw networkError(thrown, { idempotent: true });
  }
}

function uploadRefused(status: number): AntlerError {
  if (status === 413) return new AntlerError('too_large', 'The file is too large for WeChat.');
  if (status >= 400 && status < 500 && status !== 429)
    return new AntlerError('unsupported', `WeChat does not take the file (${status}).`);
  return new AntlerError('unavailable', `WeChat did not keep the file (${status}).`, { retryable: true });
}

function below(root: string, path: string, query: Record<string, string>): string {
  const url = new URL(path, root.endsWith('/') ? root : `${root}/`);
  url.search = new URLSearchParams(query).toString();
  return url.href;
}
