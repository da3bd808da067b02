import { createDecipheriv } from 'node:crypto';
import { AntlerError } from '../../../src/base/errors.ts';

/** PKCS#7 pads to this, which is twice what AES and Node's own padding know. */
const BLOCK_BYTES = 32;

/** How many bytes a file of at most `bytes` has once it is encrypted. */
export const encryptedSize = (bytes: number): number => bytes + BLOCK_BYTES;

/** True for a key of AES-256 in base64, with or without its padding. */
export const isMediaKey = (key: string): boolean => Buffer.from(key, 'base64').length === 32;

/**
 * Decrypts a file that people have sent to an AI bot: AES-256-CBC, the first half of the key is the IV.
 * @param key in base64, with or without its padding: it comes either way
 * @throws AntlerError `not_found` when it was not encrypted with this key
 */
export function decryptMedia(encrypted: Uint8Array, key: string): Buffer {
  const bytes = Buffer.from(key, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-cbc', bytes, bytes.subarray(0, 16)).setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(encrypted), decipher.final()]);
    const padding = padded.at(-1) ?? 0;
    const isPadded =
      padding >= 1 && padding <= BLOCK_BYTES && padded.subarray(-padding).every((byte) => byte === padding);
    if (!isPadded) throw new Error('wrong padding');
    return padded.subarray(0, padded.length - padding);
  } catch (cause) {
    throw new AntlerError('not_found', 'The file cannot be decrypted with the key that came with it.', { cause });
  }
}
