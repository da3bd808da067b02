import { z } from 'zod';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { ILINK_RECENT_MAX, ILINK_RECENT_TEXT_MAX } from '../limits.ts';

/** A message as a quote shows it. */
export interface Remembered {
  readonly id: string;
  readonly fromBot: boolean;
  readonly text: string;
}

/** The newest messages of each chat, since a quote only names the message that it quotes. */
export interface Recent {
  add(chat: string, message: Remembered): Promise<void>;
  find(chat: string, id: string): Promise<Remembered | undefined>;
}

const shape = z.array(z.object({ id: z.string(), fromBot: z.boolean(), text: z.string() })).catch([]);

export function recentMessages(state: ChannelState): Recent {
  const lanes = new Lanes();
  const keyOf = (chat: string): string => `recent/${chat}`;
  const read = async (chat: string): Promise<readonly Remembered[]> => {
    const kept = await state.get(keyOf(chat));
    return kept === null ? [] : shape.parse(parsed(kept));
  };
  return {
    add: (chat, { id, fromBot, text }) =>
      lanes.run(chat, async () => {
        const others = (await read(chat)).filter((known) => known.id !== id);
        const cut = text.slice(0, ILINK_RECENT_TEXT_MAX).toWellFormed();
        const all = [...others, { id, fromBot, text: cut }].slice(-ILINK_RECENT_MAX);
        await state.set(keyOf(chat), JSON.stringify(all));
      }),
    find: async (chat, id) => (await read(chat)).find((known) => known.id === id),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
