import type { ErrorCode } from '../base/errors.ts';

/** What the guard needs to know of how the gateway is reached. */
export interface Reach {
  /** The address that the server is bound to. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

export type Refusal = { readonly status: 403 | 415 | 421; readonly code: ErrorCode; readonly message: string };

/** `localhost`, 127.0.0.0/8 and ::1, as a name or as a bound address, without a port. */
export function isLoopback(name: string): boolean {
  const bare = name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(bare);
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * May whoever sits at this machine come in without a login? Not when a proxy stands in front, told by the public
 * address or by the headers that proxies add: behind it anybody may sit.
 */
export function isOpen(reach: Reach, request: Request): boolean {
  return isAtHome(reach) && !forwardingHeaders.some((header) => request.headers.has(header));
}

/** Bound to loopback, and not published under another name. */
export function isAtHome({ host, publicUrl }: Reach): boolean {
  const published = publicUrl === undefined ? null : URL.parse(publicUrl);
  return isLoopback(host) && (published === null || isLoopback(published.hostname));
}

/**
 * Refuses what another web page made the browser do. Null: the request comes from our own page, or from a program
 * that is no browser.
 */
export function refuseForeign(reach: Reach, request: Request): Refusal | null {
  return refuseHost(reach, request) ?? refuseOrigin(reach, request) ?? refuseForm(request);
}

/**
 * DNS rebinding: a page at evil.example lets its name point to 127.0.0.1 and is then of our origin to the browser.
 * The Host header still says evil.example. Where a login is needed the cookie, bound to our name, protects already.
 */
function refuseHost(reach: Reach, request: Request): Refusal | null {
  if (!isAtHome(reach)) return null;
  const name = URL.parse(`http://${request.headers.get('host') ?? ''}`)?.hostname;
  if (name !== undefined && name !== '' && isLoopback(name)) return null;
  return {
    status: 421,
    code: 'forbidden',
    message: 'Open this page as http://localhost with its port, or set server.public_url to the address you use.',
  };
}

function refuseOrigin(reach: Reach, request: Request): Refusal | null {
  const { headers } = request;
  const site = headers.get('sec-fetch-site');
  // A link on another page may lead here: opening a page changes nothing and cannot be read from there.
  const navigation =
    request.method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document';
  if (navigation) return null;
  const refusal: Refusal = { status: 403, code: 'forbidden', message: 'Requests of other web pages are refused.' };
  if (site !== null && site !== 'same-origin' && site !== 'none') return refusal;
  const origin = headers.get('origin');
  return origin === null || ownOrigins(reach, request).includes(origin) ? null : refusal;
}

function ownOrigins({ publicUrl }: Reach, request: Request): string[] {
  const host = request.headers.get('host') ?? '';
  const published = publicUrl === undefined ? null : URL.parse(publicUrl);
  return [`http://${host}`, `https://${host}`, ...(published === null ? [] : [published.origin])];
}

/** A form of another page can post, but neither as JSON nor as bare bytes. */
function refuseForm(request: Request): Refusal | null {
  if (!['POST', 'PUT', 'PATCH'].includes(request.method)) return null;
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/(?:json|octet-stream)\s*(;|$)/i.test(type)) return null;
  return { status: 415, code: 'bad_input', message: 'Send JSON: content-type application/json.' };
}
