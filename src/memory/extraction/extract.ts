import type { Clock } from '../../base/clock.ts';
import { type ImUserKey, type MemorySubject, personSubject } from '../../base/ids.ts';
import type { Book, Fact, JobEnd, MemoryJob, NewFact, Summaries } from '../../store/memory/port.ts';
import type { Store } from '../../store/port.ts';
import { type Lesson, learn } from '../learn.ts';
import { ANSWER_TOKENS, CALL_TIMEOUT_MS, ENTRIES_AT_ONCE } from '../limits.ts';
import type { Question } from '../port.ts';
import { ranked } from '../rank.ts';
import { termsOf } from '../terms.ts';
import { type OfferedFact, readAnswer } from './answer.ts';
import { isWorthAsking, type Reading, readMessages, type Said } from './messages.ts';
import { INSTRUCTIONS, type Prompt, writePrompt } from './prompt.ts';

export interface ExtractOptions {
  readonly store: Pick<Store, 'memory' | 'log' | 'imUsers'>;
  /** Asks a model; its answer's text. */
  readonly complete: (question: Question) => Promise<string>;
  readonly maxFacts: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** Known facts that the model is shown, so that it does not offer them again. */
const KNOWN_SHOWN = 60;

/** What was learnt; null: the job is somebody else's by now. */
export type Extracted = { readonly added: readonly NewFact[]; readonly asked: boolean } | null;

const NOTHING: Extracted = { added: [], asked: false };

/** Whose words these are, as far as anything may be remembered about them. */
type Speakers = ReadonlyMap<string, { readonly subject: MemorySubject; readonly book: Book }>;

/**
 * Looks through what was said in a conversation since the last time, and keeps what is worth it: facts, summaries and how
 * far it has come are written in one step. @throws AntlerError of the model; `bad_input` for an answer that cannot be read.
 */
export async function extract(job: MemoryJob, options: ExtractOptions, signal: AbortSignal): Promise<Extracted> {
  const { store, clock } = options;
  const begunAt = clock.now();
  const entries = await store.log.since(job.thread, job.readTo, ENTRIES_AT_ONCE);
  const reading = readMessages(entries);
  const isMore = reading.isCut || entries.length === ENTRIES_AT_ONCE;
  const end: JobEnd = { job, readTo: reading.readTo, nextAt: isMore ? clock.now() : null, attempts: 0 };

  const home = await store.memory.read(job.subject);
  const speakers = home.isOff ? new Map() : await speakersOf(job, home, reading, store);
  const said = reading.said.filter(({ by, at }) => {
    if (by === null) return true;
    const book = speakers.get(by.id)?.book;
    return (
      book !== undefined &&
      at > (book.erasedAt ?? Number.NEGATIVE_INFINITY) &&
      at > (home.erasedAt ?? Number.NEGATIVE_INFINITY)
    );
  });
  if (!isWorthAsking(said)) return (await store.memory.jobs.end(end, clock.now())) ? NOTHING : null;

  const prompt = promptOf(job, home, speakers, said, clock.now());
  const answer = await options.complete({
    assistant: job.assistant,
    system: INSTRUCTIONS,
    user: prompt.user,
    maxOutputTokens: ANSWER_TOKENS,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
  });
  const offered = readAnswer(answer);
  const lessons = offered.facts.flatMap((fact) => lessonOf(fact, job, prompt, speakers) ?? []);
  return keep(job, { lessons, summaries: offered.summaries, speakers, begunAt }, end, options);
}

/** Who has spoken, is a human, and does not want to be forgotten; in a private chat nobody but its person. */
async function speakersOf(
  job: MemoryJob,
  home: Book,
  { said }: Reading,
  { imUsers, memory }: ExtractOptions['store'],
): Promise<Speakers> {
  const ids = new Set(said.flatMap(({ by }) => (by === null ? [] : [by.id])));
  const speakers = new Map<string, { readonly subject: MemorySubject; readonly book: Book }>();
  for (const id of ids) {
    const user = await imUsers.get(id as ImUserKey);
    if (user === null || user.isBot) continue;
    const subject = personSubject(user.person);
    if (job.chatKind === 'dm' && subject !== job.subject) continue;
    const book = subject === job.subject ? home : await memory.read(subject);
    if (!book.isOff) speakers.set(id, { subject, book });
  }
  return speakers;
}

/** In a group, only what may be told there. */
function promptOf(job: MemoryJob, home: Book, speakers: Speakers, said: readonly Said[], now: number): Prompt {
  const others = [...speakers.values()].filter(({ subject }) => subject !== job.subject);
  const known: readonly Fact[] = [
    ...home.facts,
    ...new Set(others.flatMap(({ book }) => book.facts.filter(({ isPrivate }) => !isPrivate))),
  ];
  const shown = ranked(known, said.map(({ text }) => text).join('\n'), now).slice(0, KNOWN_SHOWN);
  return writePrompt(said, shown, home.summaries, { chatKind: job.chatKind, now });
}

/** A fact with who said it and where; null when no message of somebody is its source. */
function lessonOf(fact: OfferedFact, job: MemoryJob, { messages, known }: Prompt, speakers: Speakers): Lesson | null {
  const source = messages.get(fact.source);
  if (source === undefined || source.by === null) return null;
  const speaker = speakers.get(source.by.id);
  if (speaker === undefined) return null;
  const isAboutGroup = fact.about === 'group';
  // Among many speakers, what one of them wrote must not make the model put words into another's mouth.
  if (job.chatKind === 'group' && !haveTermInCommon(fact.content, source.text)) return null;
  if (isAboutGroup && job.chatKind === 'dm') return null;
  const subject = isAboutGroup ? job.subject : speaker.subject;
  return {
    subject,
    content: fact.content.replace(/\s+/g, ' '),
    category: fact.category,
    confidence: fact.confidence,
    source: { thread: job.thread, entry: source.entry, at: source.at },
    saidBy: source.by.id as ImUserKey,
    speaker: source.by.name,
    at: source.at,
    ...(fact.valid_days == null ? {} : { validDays: fact.valid_days }),
    isPrivate: job.chatKind === 'dm',
    // Nobody's words take the place of what another person has said of themself.
    replaces: (fact.replaces ?? []).flatMap((id) => {
      const former = known.get(id);
      return former?.subject === subject ? [former.id] : [];
    }),
  };
}

function haveTermInCommon(one: string, other: string): boolean {
  const terms = termsOf(other);
  return [...termsOf(one)].some((term) => terms.has(term));
}

/** What a reading has come to. */
interface Reaped {
  readonly lessons: readonly Lesson[];
  readonly summaries: Summaries;
  readonly speakers: Speakers;
  /** When the log was read. */
  readonly begunAt: number;
}

async function keep(
  job: MemoryJob,
  { lessons, summaries, speakers, begunAt }: Reaped,
  end: JobEnd,
  { store, maxFacts, clock }: ExtractOptions,
): Promise<Extracted> {
  const now = clock.now();
  const added: NewFact[] = [];
  const isDone = await store.memory.change(
    [job.subject, ...[...speakers.values()].map(({ subject }) => subject)],
    now,
    (books) => {
      // Who wanted to be forgotten while the model was thinking: of what it was shown, nothing of theirs may come back.
      const gone = new Set([...books].flatMap(([subject, book]) => (isGone(book, begunAt) ? [subject] : [])));
      const left = lessons.filter(({ saidBy }) => !gone.has(speakers.get(saidBy ?? '')?.subject ?? job.subject));
      return new Map(
        [...books].map(([subject, book]) => {
          const own = left.filter((lesson) => lesson.subject === subject);
          const told = subject === job.subject && gone.size === 0 ? summaries : {};
          const learnt = learn(book, own, { summaries: told, most: maxFacts, now });
          added.push(...learnt.added);
          return [subject, learnt.change];
        }),
      );
    },
    end,
  );
  return isDone ? { added, asked: true } : null;
}

const isGone = ({ isOff, erasedAt }: Book, since: number): boolean => isOff || (erasedAt !== null && erasedAt >= since);
