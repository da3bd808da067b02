import { createHash } from 'node:crypto';
import type { InboundMessage } from '../../../../src/channel/message.ts';
import { BY_BOT, GENERATING, type Item, itemShape, type Message, messageShape } from '../wire.ts';
import { contentOf, joined, readable } from './content.ts';
import type { NormalizeContext, Reading } from './context.ts';
import { quoteOf } from './quote.ts';

export type { NormalizeContext, Reading } from './context.ts';
export { UNKNOWN_QUOTE } from './quote.ts';

/**
 * Reads one message. Null means that there is nothing in it for anybody: what the bot itself said, what is still being
 * written, what only shows progress. An item that cannot be read becomes a placeholder; this never throws.
 */
export function normalize(raw: unknown, context: NormalizeContext): Reading | null {
  const parsed = messageShape.safeParse(raw);
  if (!parsed.success) return null;
  const message = parsed.data;
  if (message.message_type === BY_BOT || message.from_user_id === context.bot) return null;
  const base = baseOf(message, context);
  if ((message.delete_time_ms ?? 0) > 0) {
    const recall = { ...base, kind: 'recall', sentAt: message.delete_time_ms ?? base.sentAt } as const;
    return { message: recall, contextToken: undefined, quoted: undefined };
  }
  if (message.message_state === GENERATING) return null;
  return said(message, base);
}

function said(message: Message, base: InboundMessage): Reading | null {
  const items = (message.item_list ?? []).map(itemOf);
  const content = joined(items.map((item, index) => contentOf(item, index === 0 ? base.id : `${base.id}-${index}`)));
  if (content === null) return null;
  const quoted = items.map(quoteOf).find((quote) => quote !== undefined);
  return {
    message: {
      ...base,
      text: readable(content),
      files: content.files,
      ...(quoted === undefined ? {} : { quote: quoted.quote }),
    },
    contextToken: message.context_token || undefined,
    quoted: quoted?.part,
  };
}

/** An item of no shape at all is one of an unknown kind. */
function itemOf(raw: unknown): Item {
  const parsed = itemShape.safeParse(raw);
  return parsed.success ? parsed.data : {};
}

/** Everything but what was said. iLink tells nobody's name. */
function baseOf(message: Message, { channel, now }: NormalizeContext): InboundMessage {
  const { from_user_id: user, group_id: group, create_time_ms: createdAt = 0 } = message;
  return {
    channel,
    channelType: 'wechat',
    tenant: '',
    chat: group ? { id: group, kind: 'group' } : { id: user, kind: 'dm' },
    id: messageId(message),
    kind: 'message',
    sender: { id: user, name: '', isBot: user.endsWith('@im.bot') },
    sentAt: createdAt > 0 ? createdAt : now,
    text: '',
    addressed: group ? 'none' : 'dm',
    mentions: [],
    files: [],
  };
}

/** A message without any id is known by all that it says. */
function messageId(message: Message): string {
  const own = message.message_id || message.item_list?.map((item) => itemOf(item).msg_id).find(Boolean);
  return own || createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}

/** A message of which nothing could be used but who said it, so that somebody is told rather than nobody. */
export function placeholderOf(raw: unknown, context: NormalizeContext): InboundMessage | null {
  const reading = normalize(raw, context);
  return reading === null ? null : { ...reading.message, text: '[message]', files: [] };
}
