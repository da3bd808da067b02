import type { BotLimits } from '../channel/book.ts';
import { type Slots, slotKeys, takeSlot } from './slots.ts';

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
  const hops = (channel: string, chat: string): string => `bot-hop/${channel}/${chat}`;
  return {
    async mayAnswer(limits, channel, chat, bot) {
      const hop = await takeSlot(slots, hops(channel, chat), limits.hops, HOPS_HOLD_MS);
      if (hop === null) return false;
      const answer = await takeSlot(slots, `bot-answer/${channel}/${chat}/${bot}`, limits.most, limits.windowMs);
      if (answer === null) await slots.give(hop);
      return answer !== null;
    },
    async personSpoke(limits, channel, chat) {
      await Promise.all(slotKeys(hops(channel, chat), limits.hops).map((key) => slots.give(key)));
    },
  };
}
