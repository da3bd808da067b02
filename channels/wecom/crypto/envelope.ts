import { createHash, timingSafeEqual } from 'node:crypto';
import { decrypt, encrypt, getSignature } from '@wecom/crypto';
import { AntlerError } from '../../../src/base/errors.ts';
import { REPLAY_WINDOW_MS } from '../limits.ts';

/** What WeCom and we alone know. */
export interface CallbackSecrets {
  readonly token: string;
  readonly aesKey: string;
  /** At the end of everything encrypted: the CorpID for apps, nothing for AI bots. */
  readonly receiver: string;
}

/** How a request proves that it is WeCom's. */
export interface Claim {
  readonly signature: string;
  readonly timestamp: string;
  readonly nonce: string;
}

/** The claim in a callback's query; undefined when a part is missing, given twice, or the time is not about now. */
export function claimOf(query: URLSearchParams, now: number): Claim | undefined {
  const [signature, timestamp, nonce] = ['msg_signature', 'timestamp', 'nonce'].map((name) => only(query, name));
  if (signature === undefined || timestamp === undefined || nonce === undefined) return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1_000) > REPLAY_WINDOW_MS) return undefined;
  return { signature, timestamp, nonce };
}

/** A parameter that is there exactly once and says something. */
export function only(query: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  return more.length === 0 && value !== '' ? value : undefined;
}

/**
 * Reads what a signed request holds. Decryption alone proves nothing: a wrong key and a flipped bit both yield some
 * text, so the signature is compared first.
 *
 * @throws AntlerError `unauthorized` when it is not signed with our token, or not meant for us
 */
export function opened(encrypted: string, { signature, timestamp, nonce }: Claim, secrets: CallbackSecrets): string {
  if (!isSame(signature, getSignature(secrets.token, timestamp, nonce, encrypted))) throw refused();
  const read = decrypted(encrypted, secrets);
  if (!isSame(read.id, secrets.receiver) || !isWhole(encrypted, read, secrets)) throw refused();
  return read.message;
}

type Decrypted = ReturnType<typeof decrypt>;

function decrypted(encrypted: string, { aesKey }: CallbackSecrets): Decrypted {
  try {
    return decrypt(aesKey, encrypted);
  } catch {
    throw refused();
  }
}

/** A random block, then one that begins with the length of the message. */
const HEAD_BYTES = 32;

/**
 * Is the message as long as its head says? In the noise that a wrong key yields it is not, and where there is no
 * receiver, as for AI bots, nothing else shows that.
 */
function isWhole(encrypted: string, { message, id, random }: Decrypted, { aesKey }: CallbackSecrets): boolean {
  const headOf = (base64: string): Buffer => Buffer.from(base64, 'base64').subarray(0, HEAD_BYTES);
  return headOf(encrypt(aesKey, message, id, random)).equals(headOf(encrypted));
}

const refused = (): AntlerError =>
  new AntlerError('unauthorized', 'The request is not signed and encrypted by WeCom for this channel.');

/** Compares without telling by its time how much of it was right; digests make both the same length. */
function isSame(given: string, expected: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** An answer to an AI bot's callback, as WeCom reads it. */
export interface SealedAnswer {
  readonly encrypt: string;
  readonly msgsignature: string;
  readonly timestamp: number;
  readonly nonce: string;
}

export function sealed(
  answer: object,
  { nonce }: Pick<Claim, 'nonce'>,
  secrets: CallbackSecrets,
  now: number,
): SealedAnswer {
  const encrypted = encrypt(secrets.aesKey, JSON.stringify(answer), secrets.receiver);
  const timestamp = Math.floor(now / 1_000);
  return {
    encrypt: encrypted,
    msgsignature: getSignature(secrets.token, timestamp, nonce, encrypted),
    timestamp,
    nonce,
  };
}
