import type { MemorySubject } from '../../base/ids.ts';
import type { Database, MemoryFactTable } from '../schema.ts';
import { summariesOf } from './books.ts';
import type { Known, Memories, Summaries, ToldFact } from './port.ts';

/**
 * What is told of a subject stands a second time in one value of its row. A turn of somebody among very many reads it with
 * one look into one place, where a hundred rows that came one by one lie in a hundred places.
 */
interface Told {
  readonly facts?: readonly ToldRow[];
  readonly summaries?: Summaries;
}

/** In this order, without names, since there are many of them. */
const columns = [
  ...(['number', 'content', 'category', 'confidence', 'said_by'] as const),
  ...(['speaker', 'last_seen_at', 'valid_until', 'is_private'] as const),
];
type Columns = Pick<MemoryFactTable, (typeof columns)[number]>;
type ToldRow = readonly [
  number: number,
  content: string,
  category: Columns['category'],
  confidence: number,
  saidBy: Columns['said_by'],
  speaker: string,
  lastSeenAt: number,
  validUntil: number | null,
  isPrivate: number,
];

/** Writes anew what is told of a subject; done with every change of it, in the same transaction. */
export async function retell(transaction: Database, subject: MemorySubject): Promise<void> {
  const facts = await transaction
    .selectFrom('memory_facts')
    .select(columns)
    .where('subject', '=', subject)
    .orderBy('number')
    .execute();
  const summaries = await transaction
    .selectFrom('memory_summaries')
    .select(['kind', 'content'])
    .where('subject', '=', subject)
    .execute();
  const rows = facts.map(
    (row): ToldRow => [
      ...([row.number, row.content, row.category, row.confidence, row.said_by] as const),
      ...([row.speaker, row.last_seen_at, row.valid_until, row.is_private] as const),
    ],
  );
  const told: Told = { facts: rows, summaries: summariesOf(summaries) };
  await transaction
    .updateTable('memory_subjects')
    .set({ told: JSON.stringify(told) })
    .where('subject', '=', subject)
    .execute();
}

/** See {@link Memories.known}. */
export async function knownOf(
  db: Database,
  asked: Parameters<Memories['known']>[0],
  at: number,
): Promise<ReadonlyMap<MemorySubject, Known>> {
  if (asked.length === 0) return new Map();
  const subjects = asked.map(({ subject }) => subject);
  const rows = await db
    .selectFrom('memory_subjects')
    .select(['subject', 'told'])
    .where('subject', 'in', subjects)
    .where('is_off', '=', 0)
    .execute();
  const toldOf = new Map(rows.map(({ subject, told }) => [subject, JSON.parse(told) as Told]));
  return new Map(
    asked.map(({ subject, isPublic }): [MemorySubject, Known] => {
      const { facts = [], summaries = {} } = toldOf.get(subject) ?? {};
      const known = facts.map(factOf).filter((fact) => isTold(fact, isPublic, at));
      return [subject, { facts: known, summaries: isPublic ? {} : summaries }];
    }),
  );
}

const isTold = ({ isPrivate, validUntil }: ToldFact, isPublic: boolean, at: number): boolean =>
  !(isPublic && isPrivate) && (validUntil === null || validUntil > at);

const factOf = ([
  number,
  content,
  category,
  confidence,
  saidBy,
  speaker,
  lastSeenAt,
  validUntil,
  isPrivate,
]: ToldRow): ToldFact => ({
  ...{ number, content, category, confidence: confidence / 100, saidBy },
  ...{ speaker, lastSeenAt, validUntil, isPrivate: isPrivate !== 0 },
});
