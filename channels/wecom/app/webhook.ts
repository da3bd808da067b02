import { asAntlerError } from '../../../src/base/errors.ts';
import { errorResponse, failureResponse, readUnproven } from '../../../src/base/http.ts';
import { echo, unsigned } from '../crypto/echo.ts';
import { type CallbackSecrets, claimOf, opened } from '../crypto/envelope.ts';
import { WEBHOOK_MAX_BYTES } from '../limits.ts';
import { type Element, readXml } from './xml.ts';

export interface WebhookOptions {
  readonly secrets: CallbackSecrets;
  readonly now: () => number;
  /** Takes a message or event in; resolves once it is durable. */
  readonly receive: (message: Element) => Promise<void>;
}

/**
 * Answers one request of WeCom's to an app: a look whether the address is ours, or a message or event, encrypted XML.
 * The empty answer says that there is none, so that WeCom neither shows one nor asks again; answers go by the API, since
 * five seconds are too few for one. Without WeCom's signature nothing happens.
 */
export async function answerWebhook(request: Request, { secrets, now, receive }: WebhookOptions): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const claim = claimOf(query, now());
  if (claim === undefined) return unsigned();
  try {
    if (request.method === 'GET') return echo(query, claim, secrets);
    const encrypted = await encryptedIn(request);
    if (encrypted === undefined) return unsigned();
    const message = opened(encrypted, claim, secrets);
    if (request.method !== 'POST')
      return failureResponse(405, 'bad_input', 'Messages are posted.', { allow: 'GET, POST' });
    await receive(readXml(message));
    return new Response(null, { status: 200 });
  } catch (thrown) {
    return errorResponse(asAntlerError(thrown));
  }
}

/** The one part of the envelope that counts. */
const ENCRYPTED = /<Encrypt>(?:<!\[CDATA\[)?([A-Za-z\d+/=]+)(?:\]\]>)?<\/Encrypt>/;

/**
 * What is signed, in a body of which nobody knows yet who wrote it: so it is looked for and nothing more is parsed. What
 * is too large, cut off or something else is not signed either.
 */
async function encryptedIn(request: Request): Promise<string | undefined> {
  const text = (await readUnproven(request, WEBHOOK_MAX_BYTES))?.toString('utf8');
  return text === undefined || /<!DOCTYPE/i.test(text) ? undefined : ENCRYPTED.exec(text.replace(/\s/g, ''))?.[1];
}
