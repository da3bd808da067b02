import { z } from 'zod';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import { keptJson } from '../../../src/base/kept-json.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { ILINK_RECENT_CHATS_MAX, ILINK_RECENT_MAX, ILINK_RECENT_TEXT_MAX } from '../limits.ts';

/** A message as a quote shows it. */
export interface Remembered {
  readonly id: string;
  readonly fromBot: boolean;
  readonly text: string;
}

/** The newest messages of each chat, since a quote only names the message that it quotes. */
export interface Recent {
  /** Something that the bot has said; kept for good, since another process may be the one that is asked. */
  said(chat: string, id: string, text: string): Promise<void>;
  /** Something that a person has said; people's words are kept in memory alone. */
  heard(chat: string, id: string, text: string): void;
  find(chat: string, id: string): Promise<Remembered | undefined>;
}

const shape = z.array(z.object({ id: z.string(), text: z.string() }));
type Kept = z.output<typeof shape>;

export function recentMessages(state: ChannelState): Recent {
  const lanes = new Lanes();
  const fromPeople = new BoundedMap<string, Kept>(ILINK_RECENT_CHATS_MAX);
  const keyOf = (chat: string): string => `said/${chat}`;
  const read = async (chat: string): Promise<Kept> => keptJson(await state.get(keyOf(chat)), shape) ?? [];
  return {
    said: (chat, id, text) =>
      lanes.run(chat, async () => state.set(keyOf(chat), JSON.stringify(withOne(await read(chat), id, text)))),
    heard: (chat, id, text) => fromPeople.set(chat, withOne(fromPeople.get(chat) ?? [], id, text)),
    find: async (chat, id) => {
      const isIt = (one: { readonly id: string }): boolean => one.id === id;
      const heard = fromPeople.get(chat)?.find(isIt);
      if (heard !== undefined) return { ...heard, fromBot: false };
      const said = (await read(chat)).find(isIt);
      return said === undefined ? undefined : { ...said, fromBot: true };
    },
  };
}

function withOne(others: Kept, id: string, text: string): Kept {
  const cut = text.slice(0, ILINK_RECENT_TEXT_MAX).toWellFormed();
  return [...others.filter((known) => known.id !== id), { id, text: cut }].slice(-ILINK_RECENT_MAX);
}
