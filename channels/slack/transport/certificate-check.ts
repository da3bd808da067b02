import { createHash, timingSafeEqual } from 'node:crypto';
import { readUnproven } from '../../../src/base/http.ts';

/** `ssl_check=1&token=…` and nothing else. */
const CHECK_MAX_BYTES = 512;

/**
 * Now and then Slack looks whether the certificate of a command's address is fine. Such a request is not signed; it
 * carries only the app's verification token, by GET or in a form. True when that is the one in the settings; nothing
 * else in the request is read. https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export async function isCertificateCheck(request: Request, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false;
  const fields = await fieldsOf(request);
  return fields?.get('ssl_check') === '1' && isSame(fields.get('token') ?? '', token);
}

async function fieldsOf(request: Request): Promise<URLSearchParams | undefined> {
  if (request.method === 'GET') return new URL(request.url).searchParams;
  const isForm = request.headers
    .get('content-type')
    ?.trim()
    .toLowerCase()
    .startsWith('application/x-www-form-urlencoded');
  if (request.method !== 'POST' || isForm !== true) return undefined;
  const body = await readUnproven(request, CHECK_MAX_BYTES);
  return body && new URLSearchParams(body.toString('utf8'));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
