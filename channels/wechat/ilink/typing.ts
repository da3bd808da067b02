import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { ILINK_TICKET_LASTS_MS, TYPING_LASTS_MS } from '../limits.ts';
import { post } from './client.ts';
import { contextTokens } from './contexts.ts';
import type { Credentials } from './credentials.ts';
import type { Session } from './session.ts';
import { configShape, verdictShape } from './wire.ts';

export interface Typing {
  /** Shows that the bot types, for a few seconds. */
  show(chat: string): Promise<void>;
  /** Shows it no more, where this process has shown it lately. Never rejects: it ends by itself. */
  hide(chat: string): Promise<void>;
}

const TYPING = 1;
const NOT_TYPING = 2;
/** Nobody waits longer for an indicator. */
const PATIENCE_MS = 3_000;

export function typing(session: Session, state: ChannelState, clock: Clock): Typing {
  const shown = new BoundedMap<string, number>(10_000);
  const tickets = new BoundedMap<string, { readonly ticket: string; readonly until: number }>(10_000);
  return {
    show: (chat) => session.use((credentials) => show(chat, credentials)),
    hide: async (chat) => {
      const since = clock.now() - (shown.get(chat) ?? Number.NEGATIVE_INFINITY);
      shown.delete(chat);
      if (since > 2 * TYPING_LASTS_MS) return;
      try {
        const { token, root, bot } = await session.needed();
        const ticket = tickets.get(`${bot} ${chat}`)?.ticket;
        if (ticket === undefined) return;
        const options = { token, idempotent: true, timeoutMs: PATIENCE_MS };
        await post(root, 'ilink/bot/sendtyping', body(chat, ticket, NOT_TYPING), verdictShape, options);
      } catch {
        // It ends by itself.
      }
    },
  };

  async function show(chat: string, { token, root, bot }: Credentials): Promise<void> {
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
    try {
      await post(root, 'ilink/bot/sendtyping', body(chat, ticket, TYPING), verdictShape, options);
      shown.set(chat, clock.now());
    } catch (error) {
      tickets.delete(key); // it may have run out early
      throw error;
    }
  }
}

const body = (chat: string, ticket: string, status: number): object => ({
  ilink_user_id: chat,
  typing_ticket: ticket,
  status,
});
