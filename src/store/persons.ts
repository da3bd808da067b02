import { newPersonId } from '../base/ids.ts';
import { betterRole } from '../base/roles.ts';
import { imUserOf, peopleIn } from './im-users.ts';
import type { Persons } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

const grantColumns = ['person', 'role', 'granted_by as grantedBy', 'granted_at as grantedAt'] as const;

/** Which IM users are one human, and what that human may do. */
export function persons(db: Database): Persons {
  return {
    async imUsers(person) {
      const rows = await peopleIn(db)
        .where('im_users.person', '=', person)
        .orderBy('first_seen_at')
        .orderBy('im_users.key')
        .execute();
      return rows.map(imUserOf);
    },

    async merge(from, into) {
      if (from === into) return;
      await db.transaction().execute(async (transaction) => {
        await transaction.updateTable('im_users').set({ person: into }).where('person', '=', from).execute();
        const taken = await transaction
          .deleteFrom('person_roles')
          .where('person', 'in', [from, into])
          .returning(grantColumns)
          .execute();
        const [first, second] = taken;
        if (first === undefined) return;
        const kept = second === undefined || betterRole(first.role, second.role) === first.role ? first : second;
        await transaction
          .insertInto('person_roles')
          .values({ person: into, role: kept.role, granted_by: kept.grantedBy, granted_at: kept.grantedAt })
          .execute();
      });
    },

    async split(key) {
      const person = newPersonId();
      const changed = await db
        .updateTable('im_users')
        .set({ person })
        .where('key', '=', key)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('im_users as other')
              .select('other.key')
              .whereRef('other.person', '=', 'im_users.person')
              .where('other.key', '<>', key),
          ),
        )
        .returning('key')
        .execute();
      return changed.length > 0 ? person : null;
    },

    async grant(person, role, by, at) {
      if (role === null) {
        await db.deleteFrom('person_roles').where('person', '=', person).execute();
        return;
      }
      await db
        .insertInto('person_roles')
        .values({ person, role, granted_by: storable(by), granted_at: at })
        .onConflict((conflict) =>
          conflict.column('person').doUpdateSet((eb) => ({
            role: eb.ref('excluded.role'),
            granted_by: eb.ref('excluded.granted_by'),
            granted_at: eb.ref('excluded.granted_at'),
          })),
        )
        .execute();
    },

    async grants() {
      const rows = await db
        .selectFrom('person_roles')
        .select(grantColumns)
        .orderBy('granted_at')
        .orderBy('person')
        .execute();
      return rows.map((row) => ({ ...row }));
    },
  };
}
