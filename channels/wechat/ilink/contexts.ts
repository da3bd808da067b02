import type { ChannelState } from '../../../src/channel/port.ts';

/**
 * The newest context token of each chat, which an answer must carry. They outlive restarts: without its token an
 * answer to yesterday's question could not be sent. The empty text: the person has written, but got no token.
 */
export interface Contexts {
  remember(chat: string, token: string | undefined): Promise<void>;
  /** Null: the person has never written to this bot. */
  of(chat: string): Promise<string | null>;
}

export function contextTokens(state: ChannelState, bot: string): Contexts {
  const keyOf = (chat: string): string => `context/${bot}/${chat}`;
  return {
    remember: async (chat, token) => {
      if (token !== undefined) await state.set(keyOf(chat), token);
      else if ((await state.get(keyOf(chat))) === null) await state.set(keyOf(chat), '');
    },
    of: (chat) => state.get(keyOf(chat)),
  };
}
