import { newAuditId } from '../base/ids.ts';
import type { Audit } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

/** Who changed what. */
export function audit(db: Database): Audit {
  return {
    async add({ at, actor, action, subject, details }) {
      await db
        .insertInto('audit')
        .values({
          id: newAuditId(),
          at,
          actor: storable(actor),
          action,
          subject: storable(subject),
          details: JSON.stringify(details),
        })
        .execute();
    },

    async list({ limit, before, subject }) {
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .$call((query) =>
          before === undefined
            ? query
            : query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(before.at, before.id))),
        )
        .$call((query) => (subject === undefined ? query : query.where('subject', '=', subject)))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as Record<string, unknown> }));
    },
  };
}
