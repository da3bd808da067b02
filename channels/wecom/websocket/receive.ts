import { asAntlerError } from '../../../src/base/errors.ts';
import { property } from '../../../src/base/property.ts';
import { languageOf, say } from '../../../src/base/sentences.ts';
import { pressedValue } from '../../../src/channel/kept-values.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { AdapterContext } from '../../../src/channel/port.ts';
import { normalize } from '../bot/normalize/index.ts';
import type { WecomConfig } from '../config.ts';
import { greetOnce } from '../greeted.ts';
import { pressedCard } from '../outbound/card.ts';
import { push } from './send.ts';
import type { Sending } from './sending.ts';
import type { Incoming } from './session.ts';

export interface ReceiveOptions {
  readonly context: AdapterContext<WecomConfig>;
  readonly sending: Sending;
}

/** Hands what came to intake; resolves once it is durable, or when there is nothing in it for anybody. */
export function receiver({ context, sending }: ReceiveOptions): (incoming: Incoming) => Promise<void> {
  const { channel, config, clock, log, accept, state } = context;
  const { replies, said, cards } = sending;

  return async ({ reqId, body }) => {
    const message = normalize(body, { channel, botName: config.bot_name, now: clock.now() });
    if (message === null) log.debug({ channel }, 'nothing to take in');
    else if (message.kind === 'action') await press(message, reqId);
    else if (isWelcome(body)) await greetOnce(state, message, () => take(message, reqId, 'welcome'));
    else if (message.kind === 'message') await take(await said.recognise(message), reqId, 'message');
    else await accept(message);
  };

  async function take(message: InboundMessage, reqId: string, kind: 'message' | 'welcome'): Promise<void> {
    await replies.note(message.chat.id, { message: message.id, reqId, kind, at: clock.now() });
    await accept(message);
  }

  async function press(message: InboundMessage, reqId: string): Promise<void> {
    const value = await pressedValue(message.text, state);
    if (value === null) return stale(message);
    await accept({ ...message, text: value });
    await showPressed(message, reqId);
  }

  /** So that nobody presses twice. It has to come within five seconds; too late an update is refused, and that does not matter. */
  async function showPressed({ quote, text: key }: InboundMessage, reqId: string): Promise<void> {
    const card = cards.get(quote?.messageId ?? '');
    if (card === undefined) return;
    try {
      const link = await sending.connection.link();
      const update = { response_type: 'update_template_card', template_card: pressedCard(card, key) };
      await link.call('aibot_respond_update_msg', update, { reqId });
    } catch (thrown) {
      log.debug({ problem: asAntlerError(thrown).message }, 'a pressed card was not updated');
    }
  }

  async function stale({ chat, sender }: InboundMessage): Promise<void> {
    const content = say(languageOf(sender.language, '', 'zh'), 'button_stale');
    try {
      await push(await sending.connection.link(), chat.id, { msgtype: 'markdown', markdown: { content } });
    } catch (thrown) {
      log.debug({ problem: asAntlerError(thrown).message }, 'nobody was told that a button is stale');
    }
  }
}

const isWelcome = (body: unknown): boolean => property(property(body, 'event'), 'eventtype') === 'enter_chat';

/** Whose messages keep their order. */
export const laneOf = ({ body }: Incoming): string =>
  String(property(body, 'chatid') ?? property(property(body, 'from'), 'userid') ?? '');
