import { AntlerError } from '../base/errors.ts';
import { addressKind } from './address.ts';
import { type AllowedService, isAllowed } from './allowed.ts';
import { MAX_URL_CHARS, WEB_PORTS } from './limits.ts';

/** Where a request goes, once its host has been resolved. */
export interface Destination {
  /** As a URL has it, but IPv6 without brackets, in lower case and without a dot at the end. */
  readonly host: string;
  readonly port: number;
}

/**
 * Takes a URL apart that a person or a model has chosen. WHATWG's parser has by then made `127.0.0.1` of `0x7f.1`,
 * `2130706433` and `0177.0.0.1`.
 *
 * @throws AntlerError `bad_input` for one that is no web address, `forbidden` with credentials in it.
 */
export function readUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_CHARS)
    throw new AntlerError('bad_input', `the URL is longer than ${MAX_URL_CHARS} characters`);
  const url = URL.parse(text.trim(), base);
  if (url === null) throw new AntlerError('bad_input', 'this is no URL; write it in full, as https://example.com/page');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AntlerError('bad_input', `only http and https can be fetched, not ${url.protocol.slice(0, 20)}`);
  if (url.username !== '' || url.password !== '')
    throw new AntlerError('forbidden', 'the URL holds a user name or password');
  return url;
}

/** The part of a URL that decides where a request goes. */
export function destinationOf(url: URL): Destination {
  const host = url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host, port };
}

/**
 * Whether a destination may be dialled at all of its addresses: one that is not public makes the whole host suspect.
 *
 * @throws AntlerError `forbidden`; the sentence does not tell the address, which is nobody's business outside.
 */
export function checkDestination(
  { host, port }: Destination,
  addresses: readonly string[],
  allowed: readonly AllowedService[],
): void {
  for (const address of addresses) {
    const kind = addressKind(address);
    if (kind === 'forbidden') throw notPublic(host);
    if (isAllowed(allowed, { host, port, address })) continue;
    if (kind === 'private') throw notPublic(host);
    if (!WEB_PORTS.includes(port))
      throw new AntlerError('forbidden', `port ${port} is none of the web's; there are ${WEB_PORTS.join(', ')}`);
  }
}

const notPublic = (host: string): AntlerError =>
  new AntlerError('forbidden', `${host} is not on the public internet, and is not opened in this installation`);
