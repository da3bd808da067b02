import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Settings } from '../store/port.ts';
import { closeAllSessions } from './sessions.ts';

/** What proves the owner. */
export interface OwnerToken {
  /** Compares in constant time. */
  matches(candidate: string): Promise<boolean>;
  readonly origin: TokenOrigin;
}

export type TokenOrigin =
  /** Nobody is asked for one. */
  | { readonly kind: 'none' }
  /** It is in the configuration. */
  | { readonly kind: 'configured' }
  /** It was made at an earlier start; nobody can read it any more. */
  | { readonly kind: 'stored' }
  /** It was made just now, to be shown to the owner once. */
  | { readonly kind: 'fresh'; readonly token: string };

const KEY = 'owner_token';
/** So long may a token that was renewed still count, in milliseconds. */
const CACHE_MS = 5_000;

/**
 * The owner's token: the configured one, else the one whose hash is stored, else a new one, of which only the hash is
 * stored. 256 random bits need no salt and no slow hash.
 */
export async function ownerToken(
  settings: Settings,
  configured?: string,
  clock: Clock = systemClock,
): Promise<OwnerToken> {
  if (configured !== undefined) {
    const hash = hashOf(configured);
    return { origin: { kind: 'configured' }, matches: async (candidate) => timingSafeEqual(hashOf(candidate), hash) };
  }
  const matches = storedMatcher(settings, clock);
  if ((await readHash(settings)) !== null) return { origin: { kind: 'stored' }, matches };
  const token = await storeNew(settings);
  // Another replica may have started at the same moment: the token that is stored is the one that counts.
  const isOurs = await matches(token);
  return { origin: isOurs ? { kind: 'fresh', token } : { kind: 'stored' }, matches };
}

/** Puts a new token in the place of the stored one, and signs everybody out. A running Antler takes it within seconds. */
export async function renewOwnerToken(settings: Settings): Promise<string> {
  const token = await storeNew(settings);
  await closeAllSessions(settings);
  return token;
}

/**
 * For a server that only this machine reaches: nothing matches, and nothing is made yet, because a token that nobody
 * was shown would lock the owner out on the day the server is bound to another address.
 */
export const noToken: OwnerToken = { origin: { kind: 'none' }, matches: async () => false };

/** Asks the database now and then, so that a renewed token counts without a restart. */
function storedMatcher(settings: Settings, clock: Clock): OwnerToken['matches'] {
  let known: { readonly hash: Buffer | null; readonly until: number } | null = null;
  return async (candidate) => {
    if (known === null || known.until <= clock.now())
      known = { hash: await readHash(settings), until: clock.now() + CACHE_MS };
    return known.hash !== null && timingSafeEqual(hashOf(candidate), known.hash);
  };
}

async function storeNew(settings: Settings): Promise<string> {
  const token = `antler_${randomBytes(32).toString('base64url')}`;
  await settings.set(KEY, { sha256: hashOf(token).toString('base64url') });
  return token;
}

async function readHash(settings: Settings): Promise<Buffer | null> {
  const stored = await settings.get(KEY);
  if (typeof stored !== 'object' || stored === null || !('sha256' in stored)) return null;
  if (typeof stored.sha256 !== 'string') return null;
  const hash = Buffer.from(stored.sha256, 'base64url');
  return hash.length === HASH_BYTES ? hash : null;
}

const HASH_BYTES = 32;
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
