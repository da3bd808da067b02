import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import { isAddress } from './address.ts';
import type { AllowedService } from './allowed.ts';
import { ACCEPT_ENCODING, readPacked } from './body.ts';
import { CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_REDIRECTS } from './limits.ts';
import { checkDestination, type Destination, destinationOf, readUrl } from './policy.ts';
import type { Net, NetRequest, NetResponse } from './port.ts';
import { addressesOf, type Resolve, systemResolve } from './resolve.ts';

export interface NetOptions {
  /** Services that are reached although they are not on the public internet. */
  readonly allowed: readonly AllowedService[];
  readonly userAgent: string;
  /** Default: as the machine does. */
  readonly resolve?: Resolve;
}

/**
 * Makes the one way in which what a person or a model has chosen is fetched. It reaches the public internet and what an
 * admin has opened, nothing else: a host is resolved once, all its addresses are checked, and the connection is made to
 * those very addresses, so that a name which changes its mind in between (DNS rebinding) gains nothing. Every redirect is
 * a new request that is checked as the first was. No cookies, no credentials, no proxy of the environment.
 *
 * @example
 * const net = createNet({ allowed: [], userAgent: 'Antler' });
 * const { body } = await net.send({ url: 'https://example.com', maxBytes: 1e6, timeoutMs: 30_000, signal });
 */
export function createNet({ allowed, userAgent, resolve = systemResolve }: NetOptions): Net {
  async function follow(request: NetRequest, signal: AbortSignal): Promise<NetResponse> {
    const most = request.maxRedirects ?? MAX_REDIRECTS;
    const first = readUrl(request.url);
    let url = first;
    for (let hop = 0; ; hop++) {
      const destination = destinationOf(url);
      const addresses = await addressesOf(destination.host, resolve, signal);
      checkDestination(destination, addresses, allowed);
      const own = url.origin === first.origin ? request.headers : {};
      const headers = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': ACCEPT_ENCODING, ...own };
      const answer = await exchange(url, destination, addresses, request, headers, signal);
      if ('response' in answer) return answer.response;
      if ((request.method ?? 'GET') !== 'GET' || hop >= most)
        throw new AntlerError(
          'forbidden',
          `the server redirects ${hop >= most && hop > 0 ? 'too often' : 'elsewhere'}`,
        );
      url = readUrl(answer.location, url);
    }
  }

  return {
    send: async (request) => {
      const late = AbortSignal.timeout(request.timeoutMs);
      const signal = AbortSignal.any([request.signal, late]);
      try {
        return await follow(request, signal);
      } catch (thrown) {
        if (request.signal.aborted) throw new AntlerError('cancelled', 'stopped');
        if (late.aborted) throw new AntlerError('timeout', `no whole answer within ${request.timeoutMs / 1_000} s.`);
        throw worded(thrown);
      }
    },
  };
}

type Answer = { readonly response: NetResponse } | { readonly location: string };

/** One request and its answer, over a connection of its own. */
async function exchange(
  url: URL,
  destination: Destination,
  addresses: readonly string[],
  { method = 'GET', body, maxBytes, accepts = () => true }: NetRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const agent = await pinnedAgent(destination, addresses);
  try {
    const { request } = await import('undici');
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      headersTimeout: IDLE_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
      signal,
    });
    const stream = answer.body.on('error', () => {}); // told by whoever reads it
    const location = header(answer, 'location');
    if ([301, 302, 303, 307, 308].includes(answer.statusCode) && location !== '') return { location };
    const { mime, charset } = contentType(header(answer, 'content-type'));
    const retryAfter = Number(header(answer, 'retry-after') || Number.NaN);
    const isWanted = accepts(mime) && answer.statusCode !== 204;
    return {
      response: {
        url: url.href,
        status: answer.statusCode,
        mime,
        ...(charset === undefined ? {} : { charset }),
        ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1_000 } : {}),
        body: isWanted
          ? await readPacked(stream, header(answer, 'content-encoding'), maxBytes, signal)
          : new Uint8Array(),
      },
    };
  } finally {
    await agent.destroy(); // a body that is not read ends here as well
  }
}

/** Connects to the addresses that were checked and to nothing else, whatever name or resolver says later. */
async function pinnedAgent({ host }: Destination, addresses: readonly string[]): Promise<Agent> {
  const { Agent: UndiciAgent } = await import('undici');
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup: LookupFunction = (name, { all }, done) => {
    const [first] = found;
    const isOurs = name.toLowerCase().replace(/\.$/, '') === host && !isAddress(host) && first !== undefined;
    if (!isOurs) done(new Error('a host that was not checked'), '');
    else if (all === true) done(null, found);
    else done(null, first.address, first.family);
  };
  return new UndiciAgent({ connections: 1, allowH2: false, connect: { lookup, timeout: CONNECT_TIMEOUT_MS } });
}

function header({ headers }: Dispatcher.ResponseData, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function contentType(text: string): { readonly mime: string; readonly charset?: string } {
  const mime = text.split(';')[0]?.trim().toLowerCase() ?? '';
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(text)?.[1];
  return charset === undefined ? { mime } : { mime, charset };
}

/** What went wrong below HTTP, without addresses. */
function worded(thrown: unknown): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (/TIMEOUT|ETIMEDOUT/.test(code))
    return new AntlerError('timeout', 'the server did not answer in time.', { cause: thrown });
  if (/CERT|TLS|SSL|ALTNAME/.test(code))
    return new AntlerError('unavailable', `the server's certificate is not good (${code})`, { cause: thrown });
  if (code !== '')
    return new AntlerError('unavailable', `the server could not be reached (${code})`, { cause: thrown });
  return asAntlerError(thrown);
}
