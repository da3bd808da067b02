import { badRequest } from '../api-error.ts';
import { type Chat, type Message, type Topic, userToWire } from '../chat.ts';
import { type FormattedText, format } from '../formatting/index.ts';
import { isRecord } from '../params.ts';
import type { WireButton, WireEntity, WireKeyboard, WireQuote } from '../wire.ts';
import type { Call } from './context.ts';

/** The text that a call carries under `field`, formatted as it asks. */
export function contentOf({ params, world }: Call, field: 'text' | 'caption'): FormattedText {
  const list = params.json(field === 'text' ? 'entities' : 'caption_entities');
  const entities = Array.isArray(list) ? (list as WireEntity[]) : [];
  const { text, entities: formatted } = format(params.text(field), params.text('parse_mode'), entities);
  return { text, entities: formatted.flatMap((entity) => mentioning(entity, world)) };
}

/**
 * A mention by number, given as such or as a `tg://user` link, has effect only for somebody who is known; else the
 * words stay without it. https://core.telegram.org/bots/api#formatting-options
 */
function mentioning(entity: WireEntity, { users, bots }: Call['world']): WireEntity[] {
  const linked = /^tg:\/\/user\?id=(\d+)$/.exec(entity.url ?? '')?.[1];
  const id = entity.type === 'text_mention' ? entity.user?.id : linked === undefined ? undefined : Number(linked);
  if (id === undefined) return [entity];
  const known = [...users, ...bots.map(({ user }) => user)].find((user) => user.id === id);
  const { offset, length } = entity;
  return known === undefined ? [] : [{ type: 'text_mention', offset, length, user: userToWire(known) }];
}

/** The inline keyboard of a call; other reply markup is taken and shown to nobody. */
export function keyboardOf({ params, world }: Call): WireKeyboard | undefined {
  const markup = params.json('reply_markup');
  if (!isRecord(markup) || !('inline_keyboard' in markup)) return undefined;
  const rows = markup.inline_keyboard;
  if (!Array.isArray(rows) || !rows.every(Array.isArray))
    throw badRequest("can't parse inline keyboard markup JSON object");
  const keyboard = rows.map((row: unknown[]) =>
    row.map((button) => buttonOf(button, world.limits.maxCallbackDataBytes)),
  );
  const filled = keyboard.filter((row) => row.length > 0);
  return filled.length === 0 ? undefined : { inline_keyboard: filled };
}

function buttonOf(button: unknown, maxDataBytes: number): WireButton {
  if (!isRecord(button) || typeof button.text !== 'string')
    throw badRequest('can\'t parse inline keyboard button: Field "text" must be of type String');
  if (button.text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
  const data = button.callback_data;
  if (typeof data === 'string') {
    const bytes = Buffer.byteLength(data);
    if (bytes === 0 || bytes > maxDataBytes) throw badRequest('BUTTON_DATA_INVALID');
    return { text: button.text, callback_data: data };
  }
  if (typeof button.url === 'string') return { text: button.text, url: button.url };
  throw badRequest('Text buttons are unallowed in the inline keyboard');
}

/** The forum topic that a call names. In General, whose id is 1, a topic must not be named. */
export function topicOf({ params }: Call, chat: Chat): Topic | undefined {
  const id = params.integer('message_thread_id');
  if (id === undefined || id === 0) return undefined;
  const topic = chat.forum ? chat.topics.find((one) => one.id === id && !one.deleted) : undefined;
  if (topic === undefined) throw badRequest('message thread not found');
  if (topic.closed) throw badRequest('TOPIC_CLOSED');
  return topic;
}

export interface ReplyTarget {
  readonly replyTo?: Message;
  readonly quote?: WireQuote;
}

/** What a call replies to, by `reply_parameters` or the older `reply_to_message_id`. */
export function replyOf({ params, world }: Call, chat: Chat): ReplyTarget {
  const given = params.json('reply_parameters');
  const reply: Record<string, unknown> = isRecord(given)
    ? given
    : {
        message_id: params.integer('reply_to_message_id'),
        allow_sending_without_reply: params.flag('allow_sending_without_reply'),
      };
  const id = Number(reply.message_id ?? 0);
  if (id === 0) return {};
  const target = world.find(chat, id);
  if (target === undefined) {
    if (reply.allow_sending_without_reply === true) return {};
    throw badRequest('message to be replied not found');
  }
  if (typeof reply.quote !== 'string' || reply.quote === '') return { replyTo: target };
  const position = target.content.text.indexOf(reply.quote);
  if (position === -1) throw badRequest('QUOTE_TEXT_INVALID');
  return { replyTo: target, quote: { text: reply.quote, position, is_manual: true } };
}
