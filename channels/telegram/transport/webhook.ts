import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { asAntlerError } from '../../../src/base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, readJson } from '../../../src/base/http.ts';
import { WEBHOOK_MAX_BYTES } from '../limits.ts';
import { updateIdOf } from '../update.ts';

const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

/** The secret that Telegram sends along: the configured one, else one that every replica derives from the token. */
export function webhookSecret(token: string, configured: string | undefined): string {
  return configured ?? createHmac('sha256', token).update('telegram webhook').digest('hex');
}

/**
 * Answers one request of Telegram's: 200 only once the update is durable, so that any other answer makes Telegram
 * deliver it again. Without the right secret nothing is read.
 */
export async function answerWebhook(
  request: Request,
  { secret, take }: { readonly secret: string; readonly take: (update: unknown) => Promise<void> },
): Promise<Response> {
  if (!isSame(request.headers.get(SECRET_HEADER) ?? '', secret)) {
    return failureResponse(401, 'unauthorized', 'The secret token is missing or wrong.');
  }
  if (request.method !== 'POST') return failureResponse(405, 'bad_input', 'Updates are posted.', { allow: 'POST' });
  try {
    const update = await readJson(request, WEBHOOK_MAX_BYTES);
    if (updateIdOf(update) === undefined) return failureResponse(400, 'bad_input', 'This is not an update.');
    await take(update);
    return jsonResponse(200, {});
  } catch (thrown) {
    return errorResponse(asAntlerError(thrown));
  }
}

/** Compares without telling by its time how much of it was right; digests make both the same length. */
function isSame(given: string, expected: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
