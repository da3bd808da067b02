import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, parseJson, readUnproven } from '../../../src/base/http.ts';
import { property } from '../../../src/base/property.ts';
import type { Lanes } from '../../../src/channel/lanes.ts';
import { WEBHOOK_MAX_BYTES } from '../limits.ts';
import { type Handout, laneOf } from '../normalize/handout.ts';
import type { Receive } from '../receive.ts';
import { isCertificateCheck } from './certificate-check.ts';
import { claimOf, isSigned } from './signature.ts';

export interface WebhookOptions {
  /** Undefined: nobody can prove to be Slack, so nobody is listened to. */
  readonly secret: string | undefined;
  /** Of the checks of the certificate, which are not signed. Undefined: they are refused like everything unsigned. */
  readonly verificationToken: string | undefined;
  readonly lanes: Lanes;
  readonly receive: () => Promise<Receive>;
  readonly now: () => number;
}

/**
 * Answers one request of Slack's: events, interactivity and slash commands may all come to the one address. 200 only
 * once it is durable, so that any other answer makes Slack deliver the event again. Without Slack's signature over the
 * bytes as they came, nothing happens.
 */
export async function answerWebhook(
  request: Request,
  { secret, verificationToken, lanes, receive, now }: WebhookOptions,
): Promise<Response> {
  const claim = claimOf(request.headers, now());
  if (claim === undefined && (await isCertificateCheck(request, verificationToken))) return taken();
  if (secret === undefined || claim === undefined) return unsigned();
  try {
    const body = await readUnproven(request, WEBHOOK_MAX_BYTES);
    if (body === undefined || !isSigned(body, claim, secret)) return unsigned();
    if (request.method !== 'POST') return failureResponse(405, 'bad_input', 'Events are posted.', { allow: 'POST' });
    const read = readBody(body, request.headers.get('content-type') ?? '');
    if (read.kind === 'challenge') return jsonResponse(200, { challenge: read.challenge });
    if (read.kind === 'check') return taken();
    const { answer } = await lanes.run(laneOf(read), async () => (await receive())(read));
    return answer === undefined ? taken() : jsonResponse(200, answer);
  } catch (thrown) {
    const error = asAntlerError(thrown);
    const response = errorResponse(error);
    // What cannot be understood now cannot be later: Slack need not try it three more times.
    if (error.code === 'bad_input' || error.code === 'too_large') response.headers.set('x-slack-no-retry', '1');
    return response;
  }
}

const taken = (): Response => new Response(null, { status: 200 });

const unsigned = (): Response =>
  failureResponse(401, 'unauthorized', 'The request is not signed by Slack, or its time is not now.');

type Read =
  | Handout
  | { readonly kind: 'challenge'; readonly challenge: string }
  /** Slack looks whether the certificate is fine; whatever else is in it does not count. */
  | { readonly kind: 'check' };

/** What is in a signed body: events come as JSON, interactions as JSON in a form, commands as a form. */
function readBody(body: Buffer, contentType: string): Read {
  if (contentType.trim().toLowerCase().startsWith('application/x-www-form-urlencoded')) return readForm(body);
  const json = parseJson(body);
  const challenge = property(json, 'challenge');
  if (property(json, 'type') === 'url_verification' && typeof challenge === 'string')
    return { kind: 'challenge', challenge };
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new AntlerError('bad_input', 'This is not an event.');
  return { kind: 'event', body: json };
}

function readForm(body: Buffer): Read {
  const form = new URLSearchParams(body.toString('utf8'));
  if (form.get('ssl_check') === '1') return { kind: 'check' };
  const payload = form.get('payload');
  if (payload !== null) return { kind: 'interactive', body: parseJson(Buffer.from(payload)) };
  if (!form.has('command')) throw new AntlerError('bad_input', 'This form holds neither a payload nor a command.');
  return { kind: 'command', body: Object.fromEntries(form) };
}
