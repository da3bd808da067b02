import type { Clock } from '../../../src/base/clock.ts';
import { BoundedMap } from '../../../src/channel/bounded-map.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { ILINK_TICKET_LASTS_MS } from '../limits.ts';
import { post } from './client.ts';
import { contextTokens } from './contexts.ts';
import type { Session } from './session.ts';
import { configShape, verdictShape } from './wire.ts';

export interface Typing {
  /** Shows that the bot types, for a few seconds. */
  show(chat: string): Promise<void>;
}

const TYPING = 1;

export function typing(session: Session, state: ChannelState, clock: Clock): Typing {
  const tickets = new BoundedMap<string, { readonly ticket: string; readonly until: number }>(10_000);
  return {
    show: async (chat) => {
      const { token, root, bot } = await session.needed();
      const options = { token, idempotent: true };
      const context = await contextTokens(state, bot).of(chat);
      if (context === null) return; // nobody there has ever written
      const key = `${bot} ${chat}`;
      const kept = tickets.get(key);
      let ticket = kept !== undefined && kept.until > clock.now() ? kept.ticket : undefined;
      if (ticket === undefined) {
        const asked = { ilink_user_id: chat, ...(context === '' ? {} : { context_token: context }) };
        ticket = (await post(root, 'ilink/bot/getconfig', asked, configShape, options)).typing_ticket;
        if (ticket === undefined) return; // this account shows no typing
        tickets.set(key, { ticket, until: clock.now() + ILINK_TICKET_LASTS_MS });
      }
      const shown = { ilink_user_id: chat, typing_ticket: ticket, status: TYPING };
      try {
        await post(root, 'ilink/bot/sendtyping', shown, verdictShape, options);
      } catch (error) {
        tickets.delete(key); // it may have run out early
        throw error;
      }
    },
  };
}
