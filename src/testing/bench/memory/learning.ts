import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../base/clock.ts';
import { imUserKey, newRunId, personSubject, threadKey } from '../../../base/ids.ts';
import { silentLogger } from '../../../base/logger.ts';
import { startLearning } from '../../../memory/extraction/worker.ts';
import { createMemory } from '../../../memory/memory.ts';
import type { Store } from '../../../store/port.ts';
import { settings } from './recall.ts';

export interface Kept {
  /** From the moment a conversation was due to be learnt from until it was, in milliseconds. */
  readonly lags: readonly number[];
  readonly said: number;
  readonly learnt: number;
  /** Of this process, for one message: saying, looking through and keeping. */
  readonly cpuMs: number;
}

const PERSONS = 50;
/** Ten times as fast as by default: quiet for 3 s instead of 30, a model that takes 0.4 s instead of 4. */
const DEBOUNCE_MS = 3_000;
/** Longer than that, or what is said would put off learning again and again, as it is meant to. */
const PAUSE_MS = 5_000;
const MODEL_MS = 400;

/** 50 people say something again and again, always a little after what they said before is due. One process learns. */
export async function measureLearning(store: Store, rounds: number): Promise<Kept> {
  const memory = createMemory({
    store,
    settings: { ...settings, debounceMs: DEBOUNCE_MS },
    tokensOf: (text) => text.length,
    clock: systemClock,
  });
  const dueAt = new Map<string, number>();
  const lags: number[] = [];
  let learnt = 0;
  const learning = startLearning({
    ...{ store, settings, maxFacts: settings.maxFacts, clock: systemClock, log: silentLogger },
    complete: async ({ user }) => {
      await delay(MODEL_MS);
      const { messages } = JSON.parse(user) as { messages: { id: string; text: string }[] };
      const facts = messages.map(({ id, text }) => ({
        ...{ content: text, category: 'knowledge', about: 'speaker', nature: 'fact', durable: true },
        ...{ confidence: 0.9, source: id },
      }));
      for (const { text } of messages) {
        lags.push(Math.max(0, performance.now() - (dueAt.get(text) ?? 0)));
        learnt++;
      }
      return JSON.stringify({ facts });
    },
    tell: async () => {},
  });
  const begun = process.cpuUsage();
  const speak = async (number: number): Promise<void> => {
    const key = imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() });
    const { person } = await store.imUsers.see({ key, name: `P${number}`, isBot: false, language: null }, 1);
    const { id: thread } = await store.threads.open(threadKey({ channel: 'telegram', chat: key }));
    await delay(Math.random() * PAUSE_MS);
    for (let round = 0; round < rounds; round++) {
      const run = newRunId();
      const text = `In the year ${1_000 + number * 40 + round} I moved to town number ${number}-${round}`;
      await store.runs.start({ id: run, thread, assistant: 'lead', model: 'm', firstSeq: 1, startedAt: Date.now() });
      await store.log.append(thread, run, [
        { kind: 'user', id: run, at: Date.now(), text, speaker: { id: key, name: `P${number}` } },
      ]);
      await store.runs.settle(thread, run);
      await memory.noticed({
        ...{ subject: personSubject(person), thread, imUser: key, channel: 'telegram', chat: key, chatKind: 'dm' },
        ...{ assistant: 'lead', language: 'en' },
      });
      dueAt.set(text, performance.now() + DEBOUNCE_MS);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: PERSONS }, (_, number) => speak(number)));
  const said = PERSONS * rounds;
  for (let waited = 0; learnt < said && waited < 60_000; waited += 50) await delay(50);
  const { user, system } = process.cpuUsage(begun);
  await learning.stop();
  return { lags, said, learnt, cpuMs: (user + system) / 1_000 / said };
}
