import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { ImUserKey } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { AuditEntry, ImUser, Store } from '../store/port.ts';
import type { Union } from './union.ts';

/** What an admin sees and changes of people, outside of chats. `by`: who does it, for the audit. */
export interface Register {
  /** Those seen last first; `before`: where the former page ended. */
  list(page: { readonly limit: number; readonly before?: Pick<ImUser, 'lastSeenAt' | 'key'> }): Promise<ImUser[]>;
  /** Null takes the role away. @throws AntlerError `not_found`. */
  grant(key: ImUserKey, role: Role | null, by: string): Promise<ImUser>;
  /** Makes one person of two IM users. @throws AntlerError `not_found`. */
  link(one: ImUserKey, other: ImUserKey, by: string): Promise<void>;
  /** @throws AntlerError `not_found`, also when the IM user is linked with nobody. */
  unlink(key: ImUserKey, by: string): Promise<void>;
  /** Newest first. */
  audit(limit: number): Promise<AuditEntry[]>;
}

export interface RegisterOptions {
  readonly store: Pick<Store, 'imUsers' | 'persons' | 'audit'>;
  readonly union: Union;
  readonly clock: Pick<Clock, 'now'>;
}

export function createRegister({ store, union, clock }: RegisterOptions): Register {
  return {
    list: (page) => store.imUsers.list(page),

    async grant(key, role, by) {
      const user = await union.known(key);
      await store.persons.grant(user.person, role, by, clock.now());
      await store.audit.add({
        at: clock.now(),
        actor: by,
        action: role === null ? 'role.revoke' : 'role.grant',
        subject: user.person,
        details: { user: key, before: user.role, after: role },
      });
      return union.known(key);
    },

    async link(one, other, by) {
      await union.join(await union.known(one), await union.known(other), by);
    },

    async unlink(key, by) {
      if (!(await union.part(await union.known(key), by)))
        throw new AntlerError('not_found', `${key} is not linked with any other account.`);
    },

    audit: (limit) => store.audit.list({ limit }),
  };
}
