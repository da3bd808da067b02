import type { Selectable } from 'kysely';
import type { Proposal, ProposalRecords } from '../harness/proposals/port.ts';
import type { Database, ProposalTable } from './schema.ts';
import { storable } from './text.ts';

/** What assistants propose, and what became of it. */
export function proposals(db: Database): ProposalRecords {
  return {
    async add(proposal) {
      await db
        .insertInto('proposals')
        .values({
          id: proposal.id,
          kind: proposal.kind,
          assistant: proposal.assistant,
          subject: proposal.subject,
          before_text: proposal.before,
          after_text: storable(proposal.after),
          base: proposal.base,
          reason: storable(proposal.reason),
          by_id: proposal.by.id,
          by_name: storable(proposal.by.name),
          proposed_at: proposal.at,
          status: proposal.status,
          decided_at: proposal.decidedAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async get(id) {
      const row = await db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : proposalOf(row);
    },

    async list(limit) {
      const rows = await db
        .selectFrom('proposals')
        .selectAll()
        .orderBy('proposed_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(proposalOf);
    },

    async countOpen(assistant) {
      const { count } = await db
        .selectFrom('proposals')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('assistant', '=', assistant)
        .where('status', '=', 'open')
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async lastApproved(kind, subject) {
      const row = await db
        .selectFrom('proposals')
        .selectAll()
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('status', '=', 'approved')
        .orderBy('decided_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : proposalOf(row);
    },

    async decide(id, from, to, at) {
      const changed = await db
        .updateTable('proposals')
        .set({ status: to, decided_at: at })
        .where('id', '=', id)
        .where('status', '=', from)
        .returning('id')
        .execute();
      return changed.length > 0;
    },
  };
}

const proposalOf = (row: Selectable<ProposalTable>): Proposal => ({
  id: row.id,
  kind: row.kind,
  assistant: row.assistant,
  subject: row.subject,
  before: row.before_text,
  after: row.after_text,
  base: row.base,
  reason: row.reason,
  by: { id: row.by_id, name: row.by_name },
  at: row.proposed_at,
  status: row.status,
  decidedAt: row.decided_at,
});
