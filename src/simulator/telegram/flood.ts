import { tooManyRequests } from './api-error.ts';
import type { Bot } from './bot.ts';
import type { Chat } from './chat.ts';
import { type FloodLimits, floodLimits } from './limits.ts';

/** Times of the calls that counted, newest last. */
type Window = number[];

/**
 * Flood control by sliding windows. Refused calls do not count, and the answer says after how many whole seconds the
 * same call would pass.
 */
export class Flood {
  readonly #limits: FloodLimits;
  readonly #now: () => number;
  readonly #byChat = new Map<Chat, Window>();
  #all: Window = [];

  constructor(limits: FloodLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts one message or edit to `chat`, or refuses it with 429. */
  count(chat: Chat): void {
    const now = this.#now();
    const { perChatPerSecond, perChatBurst, perGroupPerMinute, perSecond } = this.#limits;
    const inChat = (this.#byChat.get(chat) ?? []).filter((at) => at > now - 60_000);
    const burstMs = (perChatBurst / perChatPerSecond) * 1000;
    const waits = [
      waitFor(inChat, perChatBurst, burstMs, now),
      chat.kind === 'private' ? 0 : waitFor(inChat, perGroupPerMinute, 60_000, now),
      waitFor(this.#all, perSecond, 1000, now),
    ];
    const wait = Math.max(...waits);
    if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000));
    inChat.push(now);
    this.#byChat.set(chat, inChat);
    this.#all = [...this.#all.filter((at) => at > now - 1000), now];
  }
}

/** Milliseconds until fewer than `count` calls lie within the last `windowMs`. */
function waitFor(calls: Window, count: number, windowMs: number, now: number): number {
  const oldest = calls.at(-count);
  return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now);
}

/** Flood control as an option sets it: none, Telegram's numbers, or other ones; each bot is counted for itself. */
export function floodOf(
  setting: boolean | Partial<FloodLimits> | undefined,
  now: () => number,
): (bot: Bot) => Flood | undefined {
  if (setting === undefined || setting === false) return () => undefined;
  const limits = { ...floodLimits, ...(setting === true ? {} : setting) };
  const byBot = new WeakMap<Bot, Flood>();
  return (bot) => {
    const flood = byBot.get(bot) ?? new Flood(limits, now);
    byBot.set(bot, flood);
    return flood;
  };
}
