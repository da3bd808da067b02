import { createCipheriv, createHash, randomBytes } from 'node:crypto';

const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest();

/** AES-256-CBC under SHA-256 of the key, the IV in front, as base64. event-subscription/encrypt-key */
export function encryptEvent(text: string, encryptKey: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', sha256(encryptKey), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

/** What Feishu puts into `X-Lark-Signature`. */
export function signEvent(timestamp: string, nonce: string, encryptKey: string, body: string): string {
  return sha256(timestamp + nonce + encryptKey + body).toString('hex');
}
