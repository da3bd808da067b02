import { AntlerError } from '../../../src/base/errors.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { type Credentials, readCredentials } from './credentials.ts';

/** The login that calls are made with; any process of the installation may have made it. */
export interface Session {
  /** Null while nobody has logged in. */
  current(): Promise<Credentials | null>;
  /** @throws AntlerError `unauthorized` while nobody has logged in, or since the login was ended */
  needed(): Promise<Credentials>;
  /** Makes a call with the login; a login that turns out to be over is noted. Rejects as `needed` and the call do. */
  use<Result>(call: (credentials: Credentials) => Promise<Result>): Promise<Result>;
  /** WeChat has ended it: it is not used again, but another one that is kept meanwhile is. */
  ended(credentials: Credentials): void;
  /** A login of this process, or the kept one found to be good again. */
  begun(credentials: Credentials): void;
}

/** Logins are rare and sends are many, so what is kept is read anew only when there is none or it was refused. */
export function session(secrets: ChannelState): Session {
  let known: Credentials | null = null;
  let dead: string | undefined;
  const current = async (): Promise<Credentials | null> => {
    known ??= await readCredentials(secrets);
    if (known !== null && known.token === dead) known = null;
    return known;
  };
  const needed = async (): Promise<Credentials> => {
    const credentials = await current();
    if (credentials !== null) return credentials;
    throw new AntlerError('unauthorized', 'Nobody is logged in: somebody has to scan the QR code with WeChat.');
  };
  const ended = ({ token }: Credentials): void => {
    dead = token;
    known = null;
  };
  return {
    ...{ current, needed, ended },
    use: async (call) => {
      const credentials = await needed();
      try {
        return await call(credentials);
      } catch (thrown) {
        if (thrown instanceof AntlerError && thrown.code === 'unauthorized') ended(credentials);
        throw thrown;
      }
    },
    begun: (credentials) => {
      dead = undefined;
      known = credentials;
    },
  };
}
