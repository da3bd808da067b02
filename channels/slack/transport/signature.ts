import { createHmac, timingSafeEqual } from 'node:crypto';
import { REQUEST_SKEW_MAX_SECONDS } from '../limits.ts';

const TIMESTAMP = 'x-slack-request-timestamp';
const SIGNATURE = 'x-slack-signature';

/**
 * The signature that a request carries, if it may be one of now: the time that is signed along lies within five minutes
 * of ours, in either direction, so that a recorded request is of no use later. Undefined: not worth reading the body.
 */
export function claimOf(
  headers: Headers,
  nowMs: number,
): { readonly timestamp: string; readonly signature: string } | undefined {
  const timestamp = headers.get(TIMESTAMP) ?? '';
  const signature = headers.get(SIGNATURE) ?? '';
  // Two headers of one name arrive here as one value with a comma, which is neither.
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  const skew = Math.abs(nowMs / 1_000 - Number(timestamp));
  return skew <= REQUEST_SKEW_MAX_SECONDS ? { timestamp, signature } : undefined;
}

/**
 * True when Slack has signed these very bytes.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isSigned(
  body: Uint8Array,
  { timestamp, signature }: { readonly timestamp: string; readonly signature: string },
  secret: string,
): boolean {
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
  return timingSafeEqual(Buffer.from(signature.slice(3), 'hex'), expected);
}
