import { z } from 'zod';
import { asAntlerError } from '../../../src/base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, parseJson, readBytes } from '../../../src/base/http.ts';
import { echo, unsigned } from '../crypto/echo.ts';
import { type CallbackSecrets, claimOf, opened, sealed } from '../crypto/envelope.ts';
import { WEBHOOK_MAX_BYTES } from '../limits.ts';

export interface WebhookOptions {
  readonly secrets: CallbackSecrets;
  readonly now: () => number;
  /** Takes in what was posted; resolves with the answer, or undefined for none. */
  readonly receive: (posted: unknown) => Promise<object | undefined>;
}

const postedShape = z.looseObject({ encrypt: z.string().min(1) });

/**
 * Answers one request of WeCom's to an AI bot: a look whether the address is ours, or a message, an event or a question
 * how an answer stands, encrypted JSON all of them. Without WeCom's signature nothing happens.
 */
export async function answerWebhook(request: Request, { secrets, now, receive }: WebhookOptions): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const claim = claimOf(query, now());
  if (claim === undefined) return unsigned();
  try {
    if (request.method === 'GET') return echo(query, claim, secrets);
    const posted = postedShape.safeParse(await bodyOf(request));
    if (!posted.success) return unsigned();
    const message = opened(posted.data.encrypt, claim, secrets);
    if (request.method !== 'POST')
      return failureResponse(405, 'bad_input', 'Messages are posted.', { allow: 'GET, POST' });
    const answer = await receive(parseJson(Buffer.from(message)));
    return answer === undefined
      ? new Response(null, { status: 200 })
      : jsonResponse(200, sealed(answer, claim, secrets, now()));
  } catch (thrown) {
    return errorResponse(asAntlerError(thrown));
  }
}

/** What is too large, cut off or no JSON is not signed either. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    return parseJson(await readBytes(request, WEBHOOK_MAX_BYTES));
  } catch {
    return undefined;
  }
}
