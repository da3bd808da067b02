import { AntlerError } from '../../../src/base/errors.ts';
import { failureResponse } from '../../../src/base/http.ts';
import { type CallbackSecrets, type Claim, only, opened } from './envelope.ts';

/** WeCom looks whether an address is ours: it wants the plain text and nothing else, or WeCom does not take the address. */
export function echo(query: URLSearchParams, claim: Claim, secrets: CallbackSecrets): Response {
  // Base64 knows no spaces: one stands for a plus sign that was not encoded.
  const encrypted = only(query, 'echostr')?.replaceAll(' ', '+');
  if (encrypted === undefined) throw new AntlerError('unauthorized', 'There is no echostr.');
  return new Response(opened(encrypted, claim, secrets), { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

export const unsigned = (): Response =>
  failureResponse(401, 'unauthorized', 'The request is not signed by WeCom, or its time is not now.');
