import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { AntlerError } from '../../../src/base/errors.ts';

/**
 * Decrypts what stands under `encrypt`: AES-256-CBC under SHA-256 of the key, the IV in front, in base64.
 * https://open.feishu.cn/document/event-subscription-guide/event-subscriptions/event-subscription-configure-/encrypt-key-encryption-configuration-case
 *
 * @throws AntlerError `bad_input` when it was not encrypted with this key
 */
export function decryptEvent(encrypted: string, encryptKey: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-cbc', sha256(encryptKey), bytes.subarray(0, 16));
    return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  } catch (cause) {
    throw new AntlerError('bad_input', 'The event was not encrypted with this Encrypt Key.', { cause });
  }
}

/** True when `signature` is the hex SHA-256 of timestamp, nonce, key and the body as it came. */
export function isSigned(
  body: Uint8Array,
  { timestamp, nonce, signature }: { readonly timestamp: string; readonly nonce: string; readonly signature: string },
  encryptKey: string,
): boolean {
  const expected = createHash('sha256').update(timestamp).update(nonce).update(encryptKey).update(body).digest('hex');
  return isSame(signature, expected);
}

/** Compares without telling by its time how much of it was right; digests make both the same length. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest();
