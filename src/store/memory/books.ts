import type { MemorySubject } from '../../base/ids.ts';
import type { Database } from '../schema.ts';
import { storable } from '../text.ts';
import type { Book, Change, Fact, Summaries, SummaryKind, Undo } from './port.ts';
import { factOf, rowOf } from './rows.ts';

interface SubjectRow {
  readonly is_off: number;
  readonly erased_at: number | null;
  readonly next_number: number;
  readonly forgotten: string;
  readonly undo: string | null;
}

const subjectColumns = ['is_off', 'erased_at', 'next_number', 'forgotten', 'undo'] as const;
const unknown: SubjectRow = { is_off: 0, erased_at: null, next_number: 1, forgotten: '{}', undo: null };

/** Makes the subject's row if there is none, and holds it until the transaction ends: one writer at a time. */
export async function holdSubject(transaction: Database, subject: MemorySubject, at: number): Promise<SubjectRow> {
  return transaction
    .insertInto('memory_subjects')
    .values({ subject, changed_at: at, erased_at: null, undo: null })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({ changed_at: eb.ref('excluded.changed_at') })),
    )
    .returning(subjectColumns)
    .executeTakeFirstOrThrow();
}

export async function readBook(db: Database, subject: MemorySubject, held?: SubjectRow): Promise<Book> {
  const row =
    held ??
    (await db.selectFrom('memory_subjects').select(subjectColumns).where('subject', '=', subject).executeTakeFirst()) ??
    unknown;
  const facts = await db
    .selectFrom('memory_facts')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('number')
    .execute();
  const summaries = await db
    .selectFrom('memory_summaries')
    .select(['kind', 'content'])
    .where('subject', '=', subject)
    .execute();
  return {
    facts: facts.map(factOf),
    summaries: summariesOf(summaries),
    isOff: row.is_off !== 0,
    erasedAt: row.erased_at,
    forgotten: JSON.parse(row.forgotten) as Book['forgotten'],
    undo: row.undo === null ? null : (JSON.parse(row.undo) as Undo),
  };
}

export const summariesOf = (rows: readonly { readonly kind: SummaryKind; readonly content: string }[]): Summaries =>
  Object.fromEntries(rows.map(({ kind, content }) => [kind, content]));

/** Writes a change of a book whose subject is held. */
export async function writeChange(
  transaction: Database,
  subject: MemorySubject,
  held: SubjectRow,
  change: Change,
  at: number,
): Promise<void> {
  const { remove = [], replace = [], add = [], summaries = {} } = change;
  if (remove.length > 0)
    await transaction.deleteFrom('memory_facts').where('subject', '=', subject).where('id', 'in', remove).execute();
  for (const fact of replace) {
    const { id, subject: _, ...columns } = rowOf(fact);
    await transaction
      .updateTable('memory_facts')
      .set(columns)
      .where('id', '=', id)
      .where('subject', '=', subject)
      .execute();
  }
  let number = held.next_number;
  for (const fact of add) {
    const added = await insertFact(transaction, { ...fact, subject, number });
    if (added) number++;
  }
  for (const [kind, content] of Object.entries(summaries) as [SummaryKind, string][])
    await writeSummary(transaction, subject, kind, content, at);
  await transaction
    .updateTable('memory_subjects')
    .set({
      next_number: number,
      ...(change.isOff === undefined ? {} : { is_off: change.isOff ? 1 : 0 }),
      ...(change.erasedAt === undefined ? {} : { erased_at: change.erasedAt }),
      ...(change.forgotten === undefined ? {} : { forgotten: JSON.stringify(change.forgotten) }),
      ...(change.undo === undefined ? {} : { undo: change.undo === null ? null : JSON.stringify(change.undo) }),
    })
    .where('subject', '=', subject)
    .execute();
}

/** False: the subject has one of this content. */
export async function insertFact(transaction: Database, fact: Fact): Promise<boolean> {
  const added = await transaction
    .insertInto('memory_facts')
    .values(rowOf(fact))
    .onConflict((conflict) => conflict.columns(['subject', 'hash']).doNothing())
    .returning('id')
    .execute();
  return added.length > 0;
}

async function writeSummary(
  transaction: Database,
  subject: MemorySubject,
  kind: SummaryKind,
  content: string,
  at: number,
): Promise<void> {
  if (content === '') {
    await transaction.deleteFrom('memory_summaries').where('subject', '=', subject).where('kind', '=', kind).execute();
    return;
  }
  await transaction
    .insertInto('memory_summaries')
    .values({ subject, kind, content: storable(content), updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['subject', 'kind']).doUpdateSet((eb) => ({
        content: eb.ref('excluded.content'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}
