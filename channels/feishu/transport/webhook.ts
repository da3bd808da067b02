import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, parseJson, readUnproven } from '../../../src/base/http.ts';
import type { FeishuConfig } from '../config.ts';
import { WEBHOOK_MAX_BYTES, WEBHOOK_WINDOW_MS } from '../limits.ts';
import { isRecord } from '../normalize/json.ts';
import { decryptEvent, isSame, isSigned } from './event-crypto.ts';

export type WebhookSecrets = Pick<FeishuConfig, 'encrypt_key' | 'verification_token'>;

export interface WebhookOptions {
  readonly secrets: WebhookSecrets;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Takes an event in; its result goes back to Feishu. */
  readonly receive: (event: unknown) => Promise<object>;
}

/** At least one of the secrets is needed: without any, everybody could speak as Feishu. */
export const canVerify = ({ encrypt_key: key, verification_token: token }: WebhookSecrets): boolean =>
  key !== undefined || token !== undefined;

/**
 * Answers one request of Feishu's: 200 only once the event is durable, so that any other answer makes Feishu deliver it
 * again. Nothing is done for a request that does not prove that it comes from Feishu.
 */
export async function answerWebhook(request: Request, { secrets, now, receive }: WebhookOptions): Promise<Response> {
  if (request.method !== 'POST') return unauthorized();
  try {
    const bytes = await readUnproven(request, WEBHOOK_MAX_BYTES);
    if (bytes === undefined) return unauthorized();
    const { event, isProven } = open(bytes, signatureOf(request.headers), secrets, now());
    if (isRecord(event) && event.type === 'url_verification') {
      // The challenge is not signed, but it holds the token and, with an Encrypt Key, is encrypted.
      return jsonResponse(200, { challenge: event.challenge });
    }
    if (!isProven) return unauthorized();
    return jsonResponse(200, await receive(event));
  } catch (thrown) {
    const error = asAntlerError(thrown);
    return error.code === 'unauthorized' ? unauthorized() : errorResponse(error);
  }
}

const unauthorized = (): Response =>
  failureResponse(401, 'unauthorized', 'The request does not prove that it comes from Feishu.');

interface Signature {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

function signatureOf(headers: Headers): Signature | undefined {
  const timestamp = headers.get('x-lark-request-timestamp');
  const nonce = headers.get('x-lark-request-nonce');
  const signature = headers.get('x-lark-signature');
  return timestamp === null || nonce === null || signature === null ? undefined : { timestamp, nonce, signature };
}

/** @throws AntlerError `unauthorized`, or `bad_input` for what nobody could read */
function open(
  bytes: Uint8Array,
  signature: Signature | undefined,
  { encrypt_key: encryptKey, verification_token: token }: WebhookSecrets,
  now: number,
): { readonly event: unknown; readonly isProven: boolean } {
  if (encryptKey === undefined && token === undefined) throw new AntlerError('unauthorized', 'no secret is configured');
  const isFresh = signature !== undefined && Math.abs(now - Number(signature.timestamp) * 1_000) <= WEBHOOK_WINDOW_MS;
  const signed = encryptKey !== undefined && isFresh && isSigned(bytes, signature, encryptKey);
  // A signature that is there and wrong says enough; only the challenge comes without one.
  if (encryptKey !== undefined && signature !== undefined && !signed)
    throw new AntlerError('unauthorized', 'signature');
  const body = signed ? parseJson(bytes) : readUnsigned(bytes);
  const event = encryptKey === undefined ? body : decrypted(body, encryptKey, signed);
  if (token !== undefined && !isSame(tokenOf(event), token)) throw new AntlerError('unauthorized', 'token');
  return { event, isProven: encryptKey === undefined || signed };
}

/** Who has signed nothing learns nothing, not even that a text was not understood. */
function readUnsigned(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw new AntlerError('unauthorized', 'neither signed nor readable', { cause });
  }
}

/** Who has signed nothing does not learn whether a text decrypts: that would help to decrypt what was overheard. */
function decrypted(body: unknown, encryptKey: string, signed: boolean): unknown {
  if (!isRecord(body) || typeof body.encrypt !== 'string') throw new AntlerError('unauthorized', 'not encrypted');
  try {
    return parseJson(decryptEvent(body.encrypt, encryptKey));
  } catch (error) {
    throw signed ? error : new AntlerError('unauthorized', 'not encrypted with the key', { cause: error });
  }
}

/** The verification token: in the header of an event, at the top of a challenge and of the old schema. */
function tokenOf(event: unknown): string {
  if (!isRecord(event)) return '';
  const token = isRecord(event.header) ? event.header.token : event.token;
  return typeof token === 'string' ? token : '';
}
