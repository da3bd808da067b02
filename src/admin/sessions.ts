import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { Settings } from '../store/port.ts';

/** Signed-in browsers of the owner. Kept in the database, so that all replicas know them; only as hashes. */
export interface Sessions {
  /** Returns the secret that the browser's cookie holds. */
  open(): Promise<string>;
  valid(secret: string): Promise<boolean>;
  close(secret: string): Promise<void>;
}

export const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;
/** The oldest goes when one more signs in. */
const MAX_SESSIONS = 32;
/** So long may a session that was closed on another replica live on here. */
const CACHE_MS = 5_000;
const KEY = 'owner_sessions';

const stored = z.array(z.object({ sha256: z.string(), expiresAt: z.number() }));
type Stored = z.output<typeof stored>;

export function createSessions(settings: Settings, clock: Clock): Sessions {
  let cache: { readonly sessions: Stored; readonly until: number } | null = null;

  const live = (sessions: Stored): Stored => sessions.filter(({ expiresAt }) => expiresAt > clock.now());
  const read = async (): Promise<Stored> => live(stored.catch([]).parse(await settings.get(KEY)));
  const write = async (sessions: Stored): Promise<void> => {
    cache = null;
    await settings.set(KEY, sessions.slice(-MAX_SESSIONS));
  };

  return {
    open: async () => {
      const secret = randomBytes(32).toString('base64url');
      const session = { sha256: hashOf(secret), expiresAt: clock.now() + SESSION_DAYS * DAY_MS };
      await write([...(await read()), session]);
      return secret;
    },
    valid: async (secret) => {
      if (cache === null || cache.until <= clock.now())
        cache = { sessions: await read(), until: clock.now() + CACHE_MS };
      const hash = hashOf(secret);
      return live(cache.sessions).some((session) => session.sha256 === hash);
    },
    close: async (secret) => {
      const hash = hashOf(secret);
      await write((await read()).filter((session) => session.sha256 !== hash));
    },
  };
}

/** Signs every browser out; on running replicas within {@link CACHE_MS}. */
export async function closeAllSessions(settings: Settings): Promise<void> {
  await settings.delete(KEY);
}

/** Looking up a hash of 256 random bits gives nothing away by its timing. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
