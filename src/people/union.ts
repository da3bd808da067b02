import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { ImUserKey, PersonId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { ImUser, Store } from '../store/port.ts';

export interface UnionOptions {
  readonly store: Pick<Store, 'persons' | 'imUsers' | 'audit'>;
  /** What is kept by person goes along. */
  readonly moved: PersonMoves;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
}

/** What becomes of things that belong to a person when persons change. */
export interface PersonMoves {
  /** All that is `from`'s becomes `into`'s. */
  merged(from: PersonId, into: PersonId): Promise<void>;
  /** What `user` brought along is `to`'s now. */
  split(user: ImUserKey, from: PersonId, to: PersonId): Promise<void>;
}

/** Makes one person of two IM users, and two again. `by`: who wanted it, for the audit. */
export interface Union {
  /** @throws AntlerError `not_found` when nobody of this key ever wrote to the bot. */
  known(key: ImUserKey): Promise<ImUser>;
  /** `one`'s person is the one that stays. */
  join(one: ImUser, other: ImUser, by: string): Promise<void>;
  /** False: they are a person of their own already. */
  part(user: ImUser, by: string): Promise<boolean>;
}

export function createUnion({ store, moved, log, clock }: UnionOptions): Union {
  const { persons, imUsers, audit } = store;
  return {
    async known(key) {
      const user = await imUsers.get(key);
      if (user === null) throw new AntlerError('not_found', `Nobody called ${key} ever wrote to the bot.`);
      return user;
    },

    async join(one, other, by) {
      if (one.person === other.person) return;
      // What belongs to the person first: who dies in between does it again, and nothing is without an owner.
      await moved.merged(other.person, one.person);
      await persons.merge(other.person, one.person);
      await audit.add({
        at: clock.now(),
        actor: by,
        action: 'person.link',
        subject: one.person,
        details: { users: [one.key, other.key], merged: other.person },
      });
      log.info({ person: one.person, by }, 'two accounts became one person');
    },

    async part(user, by) {
      const person = await persons.split(user.key);
      if (person === null) return false;
      await moved.split(user.key, user.person, person);
      await audit.add({
        at: clock.now(),
        actor: by,
        action: 'person.unlink',
        subject: user.person,
        details: { user: user.key, becomes: person },
      });
      log.info({ person: user.person, by }, 'an account became a person of its own');
      return true;
    },
  };
}
