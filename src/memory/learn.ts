import { type ImUserKey, type MemorySubject, newFactId } from '../base/ids.ts';
import type {
  Book,
  Change,
  Fact,
  FactCategory,
  FactSource,
  NewFact,
  Summaries,
  SummaryKind,
} from '../store/memory/port.ts';
import { areAlike } from './alike.ts';
import { factHash } from './normal.ts';
import { isValid, surplus, validityOf } from './worth.ts';

/** Something that is to be remembered of a subject. */
export interface Lesson {
  readonly subject: MemorySubject;
  readonly content: string;
  readonly category: FactCategory;
  readonly confidence: number;
  readonly source: FactSource | null;
  readonly saidBy: ImUserKey | null;
  readonly speaker: string;
  /** When it was said. */
  readonly at: number;
  readonly validDays?: number;
  readonly isPrivate: boolean;
  /** Ids of facts of the same subject that it takes the place of. */
  readonly replaces?: readonly string[];
}

export interface Learnt {
  readonly change: Change;
  /** What is known now that was not before. */
  readonly added: readonly NewFact[];
}

/**
 * What becomes of a book by lessons: each is a new fact, or an old one heard again; what it contradicts goes, and so
 * does what has expired or is worth least when there are more than `most`.
 */
export function learn(
  book: Book,
  lessons: readonly Lesson[],
  { summaries = {}, most, now }: { readonly summaries?: Summaries; readonly most: number; readonly now: number },
): Learnt {
  if (book.isOff) return { change: {}, added: [] };
  const facts = new Map<string, Fact>(book.facts.map((fact) => [fact.id, fact]));
  const added = new Map<string, Fact>();
  let number = Math.max(0, ...book.facts.map((fact) => fact.number));
  for (const lesson of lessons) {
    if (!mayLearn(book, lesson)) continue;
    const known = sameAs([...facts.values()], lesson);
    if (known !== undefined) {
      facts.set(known.id, heardAgain(known, lesson));
      continue;
    }
    for (const id of lesson.replaces ?? []) facts.delete(id);
    const fact = { ...factOf(lesson, now), number: ++number };
    facts.set(fact.id, fact);
    added.set(fact.id, fact);
  }
  for (const fact of facts.values()) if (!isValid(fact, now)) facts.delete(fact.id);
  for (const id of surplus([...facts.values()], most, now)) facts.delete(id);

  const kept = [...added.values()].filter(({ id }) => facts.has(id));
  const former = book.facts.filter((fact) => facts.get(fact.id) !== fact);
  const told = changedSummaries(book, summaries);
  if (kept.length === 0 && former.length === 0 && Object.keys(told).length === 0) return { change: {}, added: [] };
  return {
    change: {
      remove: former.filter(({ id }) => !facts.has(id)).map(({ id }) => id),
      replace: former.flatMap(({ id }) => facts.get(id) ?? []),
      add: kept,
      summaries: told,
      undo: {
        at: now,
        added: kept.map(({ id }) => id),
        former,
        summaries: Object.fromEntries(
          Object.keys(told).map((kind) => [kind, book.summaries[kind as SummaryKind] ?? '']),
        ),
      },
    },
    added: kept,
  };
}

/** What was said before somebody wanted it forgotten stays forgotten. */
function mayLearn({ erasedAt, forgotten }: Book, { content, at }: Lesson): boolean {
  return at > Math.max(erasedAt ?? Number.NEGATIVE_INFINITY, forgotten[factHash(content)] ?? Number.NEGATIVE_INFINITY);
}

/** The fact that says the same; the very same words go before similar ones. */
export function sameAs(
  facts: readonly Fact[],
  { content, replaces = [] }: Pick<Lesson, 'content' | 'replaces'>,
): Fact | undefined {
  const hash = factHash(content);
  return (
    facts.find((fact) => fact.hash === hash) ??
    facts.find((fact) => areAlike(fact.content, content) && !replaces.includes(fact.id))
  );
}

/** What was said in private stays so until it is said in front of others, and then it is known in the words said there. */
function heardAgain(fact: Fact, lesson: Lesson): Fact {
  const isOut = fact.isPrivate && !lesson.isPrivate;
  return {
    ...fact,
    ...(isOut ? { content: lesson.content, hash: factHash(lesson.content), source: lesson.source } : {}),
    confidence: Math.max(fact.confidence, lesson.confidence),
    lastSeenAt: Math.max(fact.lastSeenAt, lesson.at),
    validUntil:
      fact.validUntil === null
        ? null
        : laterOf(fact.validUntil, validityOf(fact.category, lesson.validDays, lesson.at)),
    isPrivate: fact.isPrivate && lesson.isPrivate,
  };
}

const laterOf = (one: number, other: number | null): number | null => (other === null ? null : Math.max(one, other));

export const factOf = (lesson: Lesson, now: number): NewFact => ({
  id: newFactId(),
  subject: lesson.subject,
  content: lesson.content,
  hash: factHash(lesson.content),
  category: lesson.category,
  confidence: lesson.confidence,
  source: lesson.source,
  saidBy: lesson.saidBy,
  speaker: lesson.speaker,
  createdAt: now,
  lastSeenAt: lesson.at,
  validUntil: validityOf(lesson.category, lesson.validDays, lesson.at),
  isPrivate: lesson.isPrivate,
});

function changedSummaries(book: Book, summaries: Summaries): Summaries {
  return Object.fromEntries(
    Object.entries(summaries).filter(([kind, text]) => text !== (book.summaries[kind as SummaryKind] ?? '')),
  );
}
