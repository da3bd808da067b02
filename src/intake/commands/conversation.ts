import type { ThreadId } from '../../base/ids.ts';
import { type Language, type Sentence, say } from '../../base/sentences.ts';
import type { MessageBus, ThreadState } from '../../bus/port.ts';
import { OVERHEARD_FOR_MS } from '../../channel/book.ts';
import type { ThreadSummary } from '../../store/port.ts';
import { stateAt, stopAt } from '../conversation.ts';
import { hearingOf } from '../place.ts';
import type { CommandScene, Handler } from './scene.ts';

/** More than ever wait while anybody cares; a bound all the same. */
const LETTERS_LOOKED_AT = 1_000;
const THREADS_LISTED = 10;

export const startAfresh: Handler = async ({ store, bus, place, language }) => {
  const former = await store.threads.find(place);
  await store.threads.renew(place);
  const left = former === null ? 0 : await endThread(bus, former.id);
  return withDropped(language, say(language, 'new_thread'), left);
};

/**
 * What waits or runs belongs to the conversation that was just left: its answers must not turn up in the next one.
 * Returns how many messages are not answered.
 */
async function endThread(bus: MessageBus, thread: ThreadId): Promise<number> {
  const waiting = await bus.clear(thread);
  const active = (await bus.threadState(thread)).waiting;
  return (await bus.cancel(thread, 'interrupt')) ? waiting + active : waiting;
}

const withDropped = (language: Language, text: string, count: number): string =>
  count === 0 ? text : `${text}\n\n${say(language, 'messages_dropped', { count })}`;

export const stop: Handler = async (scene) =>
  (await stopAt(scene, scene.place)) ? null : say(scene.language, 'nothing_to_stop');

/** What was never confirmed, or given up, goes out again, oldest first; only into the chat where it belongs. */
export const sendAgain: Handler = async ({ bus, message, language }) => {
  const letters = await bus.deadLetters.list(LETTERS_LOOKED_AT);
  const here = letters.filter(
    ({ kind, channel, chat }) => kind !== 'turn' && channel === message.channel && chat === message.chat.id,
  );
  for (const letter of here.toReversed()) await bus.deadLetters.replay(letter.id);
  return say(language, here.length > 0 ? 'again_done' : 'again_nothing');
};

export const status: Handler = async (scene) => {
  const { place, language, route, describeAssistant } = scene;
  const [state, facts, kept] = await Promise.all([stateAt(scene, place), describeAssistant(route), readAlong(scene)]);
  const told = say(language, 'status', {
    state: say(language, STATE_SENTENCE[state.state]),
    waiting: state.waiting,
    assistant: facts.assistant,
    model: facts.model ?? say(language, 'model_none'),
  });
  return kept === null ? told : `${told}\n${say(language, 'status_overhears', { kept })}`;
};

/** How many messages that are not to the bot are kept here; null: it does not read along. */
async function readAlong({ store, entry, message, clock }: CommandScene): Promise<number | null> {
  const { overhear, groupScope } = entry.settings;
  if (overhear === 0 || message.chat.kind === 'dm') return null;
  const place = hearingOf(message, groupScope);
  return (await store.overheard.list(place, clock.now() - OVERHEARD_FOR_MS)).length;
}

const STATE_SENTENCE = {
  idle: 'state_idle',
  queued: 'state_queued',
  delayed: 'state_queued',
  running: 'state_running',
} as const satisfies Record<ThreadState['state'], Sentence>;

export const listThreads: Handler = async (scene) => {
  const { language } = scene;
  const threads = await toldOf(scene);
  if (threads.length === 0) return say(language, 'threads_none');
  const lines = threads.map((thread, index) => `${index + 1}. ${titleOf(scene, thread)}`);
  return `${say(language, 'threads')}\n\n${lines.join('\n')}`;
};

/** By the number that `/threads` shows; without one, the conversation before this one. */
export const resume: Handler = async (scene, args) => {
  const { store, bus, place, language } = scene;
  const [current, threads] = await Promise.all([store.threads.find(place), toldOf(scene)]);
  const index = args === '' ? threads.findIndex(({ id }) => id !== current?.id) : Number(args) - 1;
  const wanted = threads[index];
  if (wanted === undefined) return say(language, threads.length === 0 ? 'threads_none' : 'resume_unknown');
  let left = 0;
  if (wanted.id !== current?.id) {
    if ((await store.threads.resume(place, wanted.id)) === null) return say(language, 'resume_unknown');
    if (current !== null) left = await endThread(bus, current.id);
  }
  return withDropped(language, say(language, 'resumed', { title: titleOf(scene, wanted) }), left);
};

/** The conversations of this place in which something was said. */
async function toldOf({ store, place }: CommandScene): Promise<readonly ThreadSummary[]> {
  return (await store.threads.list(place, THREADS_LISTED)).filter(({ title }) => title !== null);
}

function titleOf({ language, clock }: CommandScene, { title, lastAt }: ThreadSummary): string {
  return `${title ?? ''} — ${agoIn(language, clock.now() - lastAt)}`;
}

function agoIn(language: CommandScene['language'], ms: number): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return format.format(-minutes, 'minute');
  return minutes < 1_440
    ? format.format(-Math.round(minutes / 60), 'hour')
    : format.format(-Math.round(minutes / 1_440), 'day');
}
