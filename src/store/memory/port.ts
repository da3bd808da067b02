import type { ImUserKey, MemorySubject, PersonId, ThreadId } from '../../base/ids.ts';
import type { Language } from '../../base/sentences.ts';

export const FACT_CATEGORIES = ['preference', 'knowledge', 'context', 'behavior', 'goal', 'correction'] as const;
export type FactCategory = (typeof FACT_CATEGORIES)[number];

export const SUMMARY_KINDS = ['work', 'personal', 'top_of_mind', 'recent', 'earlier', 'long_term'] as const;
export type SummaryKind = (typeof SUMMARY_KINDS)[number];
export type Summaries = Readonly<Partial<Record<SummaryKind, string>>>;

/** Something that is remembered. */
export interface Fact {
  readonly id: string;
  readonly subject: MemorySubject;
  /** By which people call it: counted from 1 for each subject, and never given twice. */
  readonly number: number;
  readonly content: string;
  /** Of the normalised content: of one hash a subject has one fact. */
  readonly hash: string;
  readonly category: FactCategory;
  /** 0 to 1, in hundredths. */
  readonly confidence: number;
  /** The message that it was taken from; null: from elsewhere, such as an import. */
  readonly source: FactSource | null;
  /** Who said it; null: nobody in a chat. */
  readonly saidBy: ImUserKey | null;
  /** The name of who said it; may be empty. */
  readonly speaker: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Null: as long as nobody says otherwise. */
  readonly validUntil: number | null;
  /** Said where nobody else read along, so it is told nowhere else. */
  readonly isPrivate: boolean;
}

export type NewFact = Omit<Fact, 'number'>;

export interface FactSource {
  readonly thread: ThreadId;
  /** Id of the log entry. */
  readonly entry: string;
  /** When it was said. */
  readonly at: number;
}

/** What the last learning has changed, so that it can be taken back. */
export interface Undo {
  readonly at: number;
  /** Ids of facts that came. */
  readonly added: readonly string[];
  /** Facts that went, or that were otherwise. */
  readonly former: readonly Fact[];
  /** What summaries said; empty: there was none. */
  readonly summaries: Summaries;
}

/** All that is kept about a subject. */
export interface Book {
  /** Oldest number first. */
  readonly facts: readonly Fact[];
  readonly summaries: Summaries;
  /** Nothing is to be remembered, or told. */
  readonly isOff: boolean;
  /** What was said until then is not learnt any more; null: everything may be. */
  readonly erasedAt: number | null;
  /** Hashes of facts that are not to be learnt from what was said until the moment. */
  readonly forgotten: Readonly<Record<string, number>>;
  readonly undo: Undo | null;
}

/** What becomes of a book. Facts are replaced and removed first. */
export interface Change {
  readonly remove?: readonly string[];
  readonly replace?: readonly Fact[];
  /** One whose hash the book has already is left out. */
  readonly add?: readonly NewFact[];
  /** An empty text takes a summary away. */
  readonly summaries?: Summaries;
  readonly isOff?: boolean;
  readonly erasedAt?: number;
  readonly forgotten?: Book['forgotten'];
  readonly undo?: Undo | null;
}

/** A conversation in which something was said, for {@link MemoryJobs}. */
export interface JobNotice {
  /** The person in a private chat, the chat in a group. */
  readonly subject: MemorySubject;
  readonly thread: ThreadId;
  /** Whose private chat it is; null: a group. */
  readonly imUser: ImUserKey | null;
  /** The channel's name. */
  readonly channel: string;
  readonly chat: string;
  readonly chatKind: 'dm' | 'group';
  /** Whose model is asked. */
  readonly assistant: string;
  /** What the bot speaks there. */
  readonly language: Language;
}

/** A conversation that somebody looks through now. */
export interface MemoryJob extends JobNotice {
  /** Position of the last entry that was looked at; null: none yet. */
  readonly readTo: number | null;
  /** How often in vain before. */
  readonly attempts: number;
  /** When something was said last, as a count: more may come while the job runs. */
  readonly notices: number;
  readonly holder: string;
}

/** How a job's work ends. */
export interface JobEnd {
  readonly job: MemoryJob;
  /** Null: nothing was looked at for good. */
  readonly readTo: number | null;
  /** When there is more to do; null: once more is said. */
  readonly nextAt: number | null;
  readonly attempts: number;
}

/** Conversations that are to be looked through: one row for each subject and thread. */
export interface MemoryJobs {
  /** Due `debounceMs` after this, and `maxWaitMs` after the first notice at the latest. */
  notice(
    notice: JobNotice,
    at: number,
    wait: { readonly debounceMs: number; readonly maxWaitMs: number },
  ): Promise<void>;
  /**
   * Takes the job that has been due longest and keeps it until `until`; of a subject only one at a time, and whose turn it
   * was goes to the end of the line. Null: nothing is due.
   */
  claim(holder: string, at: number, until: number): Promise<MemoryJob | null>;
  /** False: it is somebody else's by now, or gone. */
  end(end: JobEnd, at: number): Promise<boolean>;
  /** How many are due. */
  due(at: number): Promise<number>;
}

/** A fact without what only its keeper needs: every turn reads all of a person's. */
export type ToldFact = Omit<Fact, 'id' | 'subject' | 'hash' | 'source' | 'createdAt'>;

/** What is told of a subject. */
export interface Known {
  /** Oldest number first. */
  readonly facts: readonly ToldFact[];
  readonly summaries: Summaries;
}

/** What is remembered about people and chats. Everything is transactional over all processes. */
export interface Memories {
  readonly jobs: MemoryJobs;
  read(subject: MemorySubject): Promise<Book>;
  /**
   * Reads these subjects' books and changes them in one step: whoever else changes one of them waits. `decide` must be
   * pure. With `end`, a job ends in the same step; false, and nothing has changed: the job is somebody else's.
   */
  change(
    subjects: readonly MemorySubject[],
    at: number,
    decide: (books: ReadonlyMap<MemorySubject, Book>) => ReadonlyMap<MemorySubject, Change>,
    end?: JobEnd,
  ): Promise<boolean>;
  /**
   * What can be told at `at` of subjects that are not turned off. `isPublic`: neither private facts nor summaries, which
   * hold what was said in private.
   */
  known(
    asked: readonly { readonly subject: MemorySubject; readonly isPublic: boolean }[],
    at: number,
  ): Promise<ReadonlyMap<MemorySubject, Known>>;
  /** Deletes all that is known about somebody and all that these users of theirs have said about chats. */
  erase(subject: MemorySubject, users: readonly ImUserKey[], at: number): Promise<{ readonly facts: number }>;
  /** All that is `from`'s becomes `into`'s, each fact once. */
  adopt(from: MemorySubject, into: MemorySubject, at: number): Promise<void>;
  /** What `user` has said goes from one person to another. Summaries, which cannot be told apart, go to nobody. */
  release(user: ImUserKey, from: PersonId, to: PersonId, at: number): Promise<void>;
}
