import type { ImUserKey, MemorySubject, PersonId } from '../base/ids.ts';
import type { MemoryAccess } from '../harness/memory/port.ts';
import type { Book, Fact, JobNotice, NewFact } from '../store/memory/port.ts';

/** A question to the model that learns. */
export interface Question {
  /** Whose model is asked. */
  readonly assistant: string;
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export interface MemorySettings {
  /** Facts that are kept of a person or a chat. */
  readonly maxFacts: number;
  /** Tokens that a request spends on them. */
  readonly injectTokens: number;
  readonly debounceMs: number;
  /** Are people told what was learnt, where they are alone with the bot? */
  readonly notice: boolean;
  readonly noticeInGroups: boolean;
}

/** Says in a conversation that something was learnt, once for each `id`. */
export type TellLearnt = (where: JobNotice, id: string, markdown: string) => Promise<void>;

/** What is remembered about people and chats over all their conversations. */
export interface Memory extends MemoryAccess {
  /** Something was said in a conversation: it is looked through soon, by whichever worker comes first. */
  noticed(notice: JobNotice): Promise<void>;
  readonly desk: MemoryDesk;
  /** Deletes all that is known about a person. `by`: for the audit. */
  erase(person: PersonId, by: string): Promise<{ readonly facts: number }>;
  /** Two persons became one. */
  adopt(from: PersonId, into: PersonId): Promise<void>;
  /** An IM user became a person of its own. */
  release(user: ImUserKey, from: PersonId, to: PersonId): Promise<void>;
}

/** What people see and change of a memory. Facts are called by their numbers. */
export interface MemoryDesk {
  read(subject: MemorySubject): Promise<Book>;
  /** Null: there is no such fact. @throws AntlerError `bad_input` for what must not be kept. */
  edit(subject: MemorySubject, number: number, content: string, by: string): Promise<Fact | null>;
  /** Null: there is no such fact. */
  forget(subject: MemorySubject, number: number, by: string): Promise<Fact | null>;
  /** Everything about a chat; of a person, see {@link Memory.erase}. */
  clear(subject: MemorySubject, by: string): Promise<{ readonly facts: number }>;
  turn(subject: MemorySubject, isOff: boolean, by: string): Promise<void>;
  /** Takes back what was learnt last; null: nothing, or too long ago. */
  undo(subject: MemorySubject, by: string): Promise<{ readonly removed: number; readonly restored: number } | null>;
  add(subject: MemorySubject, facts: readonly NewFact[], summaries: Book['summaries'], by: string): Promise<number>;
}
