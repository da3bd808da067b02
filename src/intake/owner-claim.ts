import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { newCode, readCode, showCode } from '../people/code.ts';
import { type Slots, takeSlot } from '../people/slots.ts';
import type { ImUser, Store } from '../store/port.ts';

const SETTING = 'owner.claim';
/** Codes that may be typed in so long, by everybody together. */
const GUESSES = 10;
const GUESS_WINDOW_MS = 60_000;

export interface OwnerClaimOptions {
  readonly store: Pick<Store, 'settings' | 'persons' | 'audit'>;
  /** The configuration names an owner: then nobody has to be made one. */
  readonly hasOwner: boolean;
  readonly slots: Slots;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
}

/** How the first owner is told from everybody else who writes to a new bot: by a code that only the terminal shows. */
export interface OwnerClaim {
  /** A code to show at the terminal; null: there is an owner, or a code was shown before. */
  offer(): Promise<string | null>;
  /** Is there a code that somebody could type? */
  isOpen(): Promise<boolean>;
  /** Makes who typed the code the owner. False: it is not the code, or was used. */
  take(typed: string, user: ImUser): Promise<boolean>;
}

export function createOwnerClaim({ store, hasOwner, slots, log, clock }: OwnerClaimOptions): OwnerClaim {
  return {
    async offer() {
      if (hasOwner || (await store.settings.get(SETTING)) !== undefined) return null;
      if ((await store.persons.grants()).some(({ role }) => role === 'owner')) return null;
      const code = newCode();
      await store.settings.set(SETTING, hashOf(code));
      return showCode(code);
    },

    isOpen: async () => (await store.settings.get(SETTING)) !== undefined,

    async take(typed, user) {
      if ((await takeSlot(slots, 'owner-guess', GUESSES, GUESS_WINDOW_MS)) === null) return false;
      const [code, expected] = [readCode(typed), await store.settings.get(SETTING)];
      if (code === null || typeof expected !== 'string' || !isSame(hashOf(code), expected)) return false;
      // Of two who have the code, one is first.
      if (!(await slots.take(`owner-claim/${expected}`, 60_000))) return false;
      await store.persons.grant(user.person, 'owner', 'first', clock.now());
      await store.settings.delete(SETTING);
      await store.audit.add({
        at: clock.now(),
        actor: user.key,
        action: 'role.grant',
        subject: user.person,
        details: { role: 'owner', by: 'the code of the first start' },
      });
      log.info({ user: user.key }, 'the bot has an owner');
      return true;
    },
  };
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
