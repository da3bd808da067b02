import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** What both sides of a callback know. */
export interface CallbackKeys {
  readonly token: string;
  readonly aesKey: string;
  /** The CorpID for apps, nothing for AI bots. */
  readonly receiver: string;
}

const BLOCK = 32;

/** SHA-1 over the four parts in order. https://developer.work.weixin.qq.com/document/path/90968 */
export const signed = (token: string, timestamp: string, nonce: string, encrypted: string): string =>
  createHash('sha1').update([token, timestamp, nonce, encrypted].sort().join('')).digest('hex');

export function encrypted(message: string, { aesKey, receiver }: CallbackKeys): string {
  const words = Buffer.from(message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length);
  return encryptBytes(Buffer.concat([randomBytes(16), length, words, Buffer.from(receiver)]), aesKey).toString(
    'base64',
  );
}

export function decrypted(message: string, { aesKey }: Pick<CallbackKeys, 'aesKey'>): string {
  const key = Buffer.from(aesKey, 'base64');
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(message, 'base64'), decipher.final()]);
  const length = padded.readUInt32BE(16);
  return padded.subarray(20, 20 + length).toString('utf8');
}

/** As files of people are encrypted, under a key of their own or the callback's. */
export function encryptBytes(content: Uint8Array, aesKey: string): Buffer {
  const key = Buffer.from(aesKey, 'base64');
  const padding = BLOCK - (content.length % BLOCK);
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.concat([content, Buffer.alloc(padding, padding)])), cipher.final()]);
}

/** The query of a callback. */
export function claim(encryptedMessage: string, { token }: CallbackKeys, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const nonce = randomBytes(5).toString('hex');
  return { msg_signature: signed(token, timestamp, nonce, encryptedMessage), timestamp, nonce };
}
