import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat } from '../../simulator/telegram/index.ts';
import { type Stage, tagged, tagsIn } from './stage.ts';
import { quantile } from './statistics.ts';

/** What became of many messages that came at once. */
export interface Burst {
  readonly messages: number;
  readonly chats: number;
  readonly answered: number;
  /** Messages that more than one message of the bot answers. */
  readonly duplicates: number;
  /** Milliseconds from the burst to an answer: of the last one, and of the median one. */
  readonly lastMs: number;
  readonly medianMs: number;
  /** Calls that the platform refused because they came too fast. */
  readonly refused: number;
  readonly modelCalls: number;
}

/** Without any new answer for this long, what is missing is lost. */
const LOST_AFTER_MS = 8_000;
/** An answer that is said twice is said again soon after. */
const WATCH_MS = 1_000;

/** Puts `messages` messages into `chats` new chats at the same moment and waits for what comes of it. */
export async function burst(stage: Stage, messages: number, chats: number, firstNumber: number): Promise<Burst> {
  const { telegram, model } = stage;
  const rooms = Array.from({ length: chats }, () => stage.newChat());
  const answeredAt = new Map<string, number>();
  const modelCallsBefore = model.requests.length;
  const callsBefore = telegram.calls.list().length;
  let newestAt = performance.now();
  const unsubscribe = telegram.events.subscribe((event) => {
    if (event.type !== 'message' && event.type !== 'edit') return;
    if (!event.message.from.isBot) return;
    for (const tag of tagsIn(event.message.content.text)) {
      if (answeredAt.has(tag)) continue;
      newestAt = performance.now();
      answeredAt.set(tag, newestAt);
    }
  });

  const startedAt = performance.now();
  for (let index = 0; index < messages; index++) ask(stage, rooms[index % chats], firstNumber + index);
  while (answeredAt.size < messages && performance.now() - newestAt < LOST_AFTER_MS) await sleep(20);
  await sleep(WATCH_MS);
  unsubscribe();

  const times = [...answeredAt.values()].map((at) => at - startedAt);
  return {
    messages,
    chats,
    answered: answeredAt.size,
    duplicates: rooms.reduce((total, room) => total + repeatedIn(stage, room), 0),
    lastMs: Math.max(0, ...times),
    medianMs: quantile(times, 0.5),
    refused: telegram.calls
      .list()
      .slice(callsBefore)
      .filter(({ status }) => status === 429).length,
    modelCalls: model.requests.length - modelCallsBefore,
  };
}

function ask({ telegram, bot }: Stage, room: Chat | undefined, number: number): void {
  if (room !== undefined) telegram.people.say(room.person ?? bot.user, room, tagged(number));
}

/** Questions of a chat that several messages of the bot answer. */
function repeatedIn({ telegram }: Stage, room: Chat): number {
  const tags = telegram.visible(room).flatMap(({ from, content }) => (from.isBot ? tagsIn(content.text) : []));
  return tags.length - new Set(tags).size;
}
