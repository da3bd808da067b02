import type { MemorySubject } from '../../base/ids.ts';
import type { Database } from '../schema.ts';
import { summariesOf } from './books.ts';
import type { Known, Memories } from './port.ts';
import { toldColumns, toldFactOf } from './rows.ts';

/** More than a subject has by any configuration. */
const FACTS_MOST = 1_000;

/** What can be told of subjects: two queries at once, whatever their number, since every turn waits for them. */
export async function knownOf(
  db: Database,
  asked: Parameters<Memories['known']>[0],
  at: number,
): Promise<ReadonlyMap<MemorySubject, Known>> {
  if (asked.length === 0) return new Map();
  const subjects = asked.map(({ subject }) => subject);
  const open = asked.filter(({ isPublic }) => !isPublic).map(({ subject }) => subject);
  const [facts, summaries] = await Promise.all([
    db
      .selectFrom('memory_facts as fact')
      .innerJoin('memory_subjects as about', 'about.subject', 'fact.subject')
      .select(toldColumns)
      .where('fact.subject', 'in', subjects)
      .where('about.is_off', '=', 0)
      .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', at)]))
      .where((eb) =>
        open.length === 0
          ? eb('is_private', '=', 0)
          : eb.or([eb('is_private', '=', 0), eb('fact.subject', 'in', open)]),
      )
      .limit(FACTS_MOST * subjects.length)
      .execute(),
    open.length === 0
      ? []
      : db
          .selectFrom('memory_summaries as summary')
          .innerJoin('memory_subjects as about', 'about.subject', 'summary.subject')
          .select(['summary.subject', 'kind', 'content'])
          .where('summary.subject', 'in', open)
          .where('about.is_off', '=', 0)
          .execute(),
  ]);
  return new Map(
    subjects.map((subject) => [
      subject,
      {
        facts: facts
          .filter((row) => row.subject === subject)
          .map(toldFactOf)
          .toSorted((one, other) => one.number - other.number),
        summaries: summariesOf(summaries.filter((row) => row.subject === subject)),
      },
    ]),
  );
}
