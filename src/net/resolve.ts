import { lookup } from 'node:dns/promises';
import { AntlerError } from '../base/errors.ts';
import { isAddress } from './address.ts';
import { RESOLVE_TIMEOUT_MS } from './limits.ts';

/** Finds the addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** As any other program of this machine would, with its hosts file. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/**
 * The addresses of a host, which may be one itself.
 * @throws AntlerError `unavailable` when it has none, `timeout`, whatever `signal` aborts with.
 */
export async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  if (isAddress(host)) return [host];
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const late = setTimeout(
    () => reject(new AntlerError('timeout', `the name ${host} was not resolved in time.`)),
    RESOLVE_TIMEOUT_MS,
  );
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const found = await Promise.race([resolve(host).catch(noSuchHost(host)), ended]);
    return found.length > 0 ? found : noSuchHost(host)();
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  }
}

const noSuchHost = (host: string) => (): never => {
  throw new AntlerError('unavailable', `there is no host named ${host}`);
};
