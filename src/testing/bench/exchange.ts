import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';
import { tagged } from './stage.ts';

/** What a subject added to one message, in milliseconds. The model's own time is in neither part. */
export interface Exchange {
  /** The message exists at the platform, whose long poll is open → the model's server has the request's headers. */
  readonly inMs: number;
  /** The model's last byte has left → the platform has the headers of the call that sends the answer. */
  readonly outMs: number;
}

/** Between an answer and the next message: what a subject tidies up after an answer belongs to that answer. */
const REST_MS = 10;
const ANSWER_WITHIN_MS = 10_000;

/** One message in a chat of its own, from question to answer. */
export async function exchange(stage: Stage, number: number): Promise<Exchange> {
  const { telegram, model, bot } = stage;
  const chat = stage.newChat();
  const requestsBefore = model.requests.length;
  await pollOpen(stage);
  const asked = telegram.people.say(chat.person ?? bot.user, chat, tagged(number));
  await telegram.waitFor(chat, ({ from }) => from.isBot, ANSWER_WITHIN_MS);
  const request = model.requests[requestsBefore];
  const sending = telegram.calls.list('sendMessage').findLast(({ params }) => String(params.chat_id) === `${chat.id}`);
  if (request?.lastByteAt === undefined || sending === undefined)
    throw new Error('the answer did not come by way of the model');
  await sleep(REST_MS);
  return { inMs: request.at - asked.at, outMs: sending.at - request.lastByteAt };
}

/** A bot that polls asks again after each batch; a message meets an open poll, as most do in life. */
async function pollOpen({ telegram }: Stage): Promise<void> {
  const isOpen = (): boolean => telegram.calls.list('getUpdates').at(-1)?.doneAt === undefined;
  for (const deadline = Date.now() + ANSWER_WITHIN_MS; !isOpen(); ) {
    if (Date.now() > deadline) throw new Error('the bot does not poll');
    await sleep(1);
  }
}
