import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../store/port.ts';

/** What proves the owner. */
export interface OwnerToken {
  /** Compares in constant time. */
  matches(candidate: string): boolean;
  /** Only at the first start: the token itself, to be shown to the owner once. Afterwards nobody can read it. */
  readonly fresh?: string;
}

const KEY = 'owner_token';

/**
 * The owner's token: the configured one, else the one whose hash is stored, else a new one, of which only the hash is
 * stored. 256 random bits need no salt and no slow hash.
 */
export async function ownerToken(settings: Settings, configured?: string): Promise<OwnerToken> {
  if (configured !== undefined) return tokenOf(hashOf(configured));
  const stored = await readHash(settings);
  if (stored !== null) return tokenOf(stored);
  const fresh = `antler_${randomBytes(32).toString('base64url')}`;
  await settings.set(KEY, { sha256: hashOf(fresh).toString('base64url') });
  // Another replica may have started at the same moment: the token that is stored is the one that counts.
  const winner = await readHash(settings);
  if (winner !== null && !winner.equals(hashOf(fresh))) return tokenOf(winner);
  return { ...tokenOf(hashOf(fresh)), fresh };
}

/**
 * For a server that only this machine reaches: nothing matches, and nothing is made yet, because a token that nobody
 * was shown would lock the owner out on the day the server is bound to another address.
 */
export const noToken: OwnerToken = { matches: () => false };

async function readHash(settings: Settings): Promise<Buffer | null> {
  const stored = await settings.get(KEY);
  if (typeof stored !== 'object' || stored === null || !('sha256' in stored)) return null;
  return typeof stored.sha256 === 'string' ? Buffer.from(stored.sha256, 'base64url') : null;
}

const tokenOf = (hash: Buffer): OwnerToken => ({ matches: (candidate) => timingSafeEqual(hashOf(candidate), hash) });

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
