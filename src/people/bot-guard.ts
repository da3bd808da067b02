import type { BotLimits } from '../channel/book.ts';

/** What the guard counts with: a key is held by whoever took it until its time is up or it is given back. */
export interface Slots {
  /** False: somebody has it. */
  take(key: string, holdMs: number): Promise<boolean>;
  give(key: string): Promise<void>;
}

/** Hops are forgotten when nobody at all spoke for so long. */
const HOPS_HOLD_MS = 86_400_000;

/**
 * Keeps two bots from talking each other into a loop, over all processes: one bot is answered so often in a while, and
 * bots together so often until a person speaks.
 */
export interface BotGuard {
  /** May this bot be answered once more? Counts the answer. */
  mayAnswer(limits: BotLimits, channel: string, chat: string, bot: string): Promise<boolean>;
  /** A person spoke: bots may be answered again. */
  personSpoke(limits: BotLimits, channel: string, chat: string): Promise<void>;
}

export function createBotGuard(slots: Slots): BotGuard {
  const hop = (channel: string, chat: string, n: number): string => `bot-hop/${channel}/${chat}/${n}`;

  async function takeOne(keys: readonly string[], holdMs: number): Promise<string | null> {
    for (const key of keys) if (await slots.take(key, holdMs)) return key;
    return null;
  }

  return {
    async mayAnswer({ most, windowMs, hops }, channel, chat, bot) {
      const taken = await takeOne(
        numbers(hops).map((n) => hop(channel, chat, n)),
        HOPS_HOLD_MS,
      );
      if (taken === null) return false;
      const answers = numbers(most).map((n) => `bot-answer/${channel}/${chat}/${bot}/${n}`);
      if ((await takeOne(answers, windowMs)) !== null) return true;
      await slots.give(taken);
      return false;
    },
    async personSpoke({ hops }, channel, chat) {
      await Promise.all(numbers(hops).map((n) => slots.give(hop(channel, chat, n))));
    },
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
