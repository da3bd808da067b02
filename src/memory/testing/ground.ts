import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  chatSubject,
  type ImUserKey,
  imUserKey,
  newRunId,
  type PersonId,
  personSubject,
  type ThreadId,
  threadKey,
} from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import type { LogEntry, UserEntry } from '../../harness/log.ts';
import { openStore } from '../../store/index.ts';
import type { JobNotice } from '../../store/memory/port.ts';
import type { Store } from '../../store/port.ts';
import { type LearningOptions, startLearning } from '../extraction/worker.ts';
import { createMemory } from '../memory.ts';
import type { MemorySettings, Question } from '../port.ts';

/** A clock that stands until it is moved. */
export interface StandingClock {
  now(): number;
  sleep(ms: number): Promise<void>;
  move(ms: number): void;
}

export function standingClock(start = Date.UTC(2026, 2, 1)): StandingClock {
  let now = start;
  return {
    now: () => now,
    sleep: async () => {},
    move: (ms) => {
      now += ms;
    },
  };
}

export interface Somebody {
  readonly key: ImUserKey;
  readonly person: PersonId;
  readonly name: string;
  readonly dm: ThreadId;
}

export interface Offer {
  readonly content: string;
  readonly about?: string;
  readonly category?: string;
  readonly nature?: string;
  readonly durable?: boolean;
  readonly confidence?: number;
  readonly source?: string;
  readonly replaces?: readonly string[];
}

/** A fact as a model that learns would offer it. */
export const offer = (content: string, more: Omit<Offer, 'content'> = {}): Offer => ({
  content,
  category: 'knowledge',
  about: 'speaker',
  nature: 'fact',
  durable: true,
  confidence: 0.9,
  source: 'm1',
  ...more,
});

export const answerWith = (...facts: readonly Offer[]): string => JSON.stringify({ facts });

export const defaults: MemorySettings = {
  maxFacts: 100,
  injectTokens: 800,
  debounceMs: 30_000,
  notice: true,
  noticeInGroups: false,
};

export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** A memory on a database of its own, with a model that the test plays. */
export async function memoryGround(t: TestContext, settings: Partial<MemorySettings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'antler-memory-'));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const clock = standingClock();
  const all = { ...defaults, ...settings };
  const memory = createMemory({ store, settings: all, tokensOf, clock });
  const questions: Question[] = [];
  const told: string[] = [];
  let answer: (question: Question) => string | Promise<string> = () => answerWith();
  const options: LearningOptions = {
    store,
    settings: all,
    maxFacts: all.maxFacts,
    clock,
    log: silentLogger,
    pollMs: 0,
    random: () => 0.5,
    complete: async (question) => {
      questions.push(question);
      return answer(question);
    },
    tell: async (_where, _id, markdown) => void told.push(markdown),
  };
  const learning = startLearning(options);
  t.after(() => learning.stop());
  return {
    store,
    clock,
    memory,
    questions,
    told,
    options,
    folder,
    answers: (next: typeof answer) => {
      answer = next;
    },
    meet: (name: string) => meet(store, name),
    /** Says things in a private chat, and lets them be looked through. */
    async hear(who: Somebody, ...texts: readonly (string | Partial<UserEntry>)[]) {
      await sayIn(
        store,
        who.dm,
        texts.map((text) => entryOf(who, text, clock.now())),
      );
      await memory.noticed(noticeOf(who));
      clock.move(all.debounceMs);
      await learning.drain();
    },
    /** The same in a group. */
    async hearIn(group: Group, entries: readonly (readonly [Somebody, string])[]) {
      await sayIn(
        store,
        group.thread,
        entries.map(([who, text]) => entryOf(who, text, clock.now())),
      );
      await memory.noticed(group.notice);
      clock.move(all.debounceMs);
      await learning.drain();
    },
    openGroup: (chat = newRunId()) => openGroup(store, chat),
    learning,
    contents: async (person: PersonId) =>
      (await memory.desk.read(personSubject(person))).facts.map(({ content }) => content),
  };
}

export async function meet(store: Store, name: string): Promise<Somebody> {
  const key = imUserKey({ channelType: 'telegram', tenant: '', user: `${name}-${newRunId()}` });
  const { person } = await store.imUsers.see({ key, name, isBot: false, language: null }, 1);
  const { id } = await store.threads.open(threadKey({ channel: 'telegram', chat: key }));
  return { key, person, name, dm: id };
}

export interface Group {
  readonly thread: ThreadId;
  readonly chat: string;
  readonly notice: JobNotice;
}

async function openGroup(store: Store, chat: string): Promise<Group> {
  const key = threadKey({ channel: 'telegram', chat });
  const { id: thread } = await store.threads.open(key);
  return {
    thread,
    chat,
    notice: { ...common, subject: chatSubject(key), thread, imUser: null, chat, chatKind: 'group' },
  };
}

const common = { channel: 'telegram', assistant: 'lead', language: 'en' } as const;

export const noticeOf = ({ key, person, dm }: Somebody): JobNotice => ({
  ...common,
  subject: personSubject(person),
  thread: dm,
  imUser: key,
  chat: key,
  chatKind: 'dm',
});

export const entryOf = (who: Somebody, said: string | Partial<UserEntry>, at: number): UserEntry => ({
  kind: 'user',
  id: newRunId(),
  at,
  text: typeof said === 'string' ? said : '',
  speaker: { id: who.key, name: who.name },
  ...(typeof said === 'string' ? {} : said),
});

/** Puts entries into a thread's log as a run that counts. */
export async function sayIn(store: Store, thread: ThreadId, entries: readonly LogEntry[]): Promise<void> {
  const id = newRunId();
  await store.runs.start({ id, thread, assistant: 'lead', model: 'main', firstSeq: 1, startedAt: 1 });
  await store.log.append(thread, id, entries);
  await store.runs.settle(thread, id);
}
