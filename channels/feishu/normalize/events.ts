import type { InboundMessage } from '../../../src/channel/message.ts';
import { personName, safeName } from '../../../src/format/safe-name.ts';
import { actionOf } from '../buttons.ts';
import type { NormalizeContext, Reading } from './context.ts';
import {
  cardActionShape,
  type Envelope,
  enteredShape,
  type Ids,
  idOf,
  membershipShape,
  menuShape,
  millisOf,
  peopleShape,
  reactionShape,
  recalledShape,
} from './wire.ts';

type Converter = (envelope: Envelope, context: NormalizeContext) => Reading | null;

/** What events other than messages have in common. */
function base({ header }: Envelope, context: NormalizeContext, operator: Ids, tenant?: string) {
  const id = idOf(operator) ?? 'unknown';
  return {
    channel: context.channel,
    channelType: 'feishu' as const,
    tenant: tenant ?? header.tenant_key,
    id: header.event_id,
    sender: { id, name: '', isBot: false },
    sentAt: millisOf(header.create_time, context.now),
    text: '',
    addressed: 'none' as const,
    mentions: [],
    files: [],
  };
}

/** Who took it back is not told; the chat's kind, topic and sender are those of the message. */
export const convertRecall: Converter = (envelope, context) => {
  const { message_id: id, chat_id: chat, recall_time: at } = recalledShape.parse(envelope.event);
  const message: InboundMessage = {
    ...base(envelope, context, {}),
    chat: { id: chat, kind: 'group' },
    id,
    kind: 'recall',
    sentAt: millisOf(at ?? envelope.header.create_time, context.now),
  };
  return { message, lookup: { about: id, chat: 'kind' } };
};

/** Null for the bot's own reactions, which it shows while it works. The event does not even name the chat. */
export const reaction =
  (change: 'added' | 'removed'): Converter =>
  (envelope, context) => {
    const event = reactionShape.parse(envelope.event);
    if (event.operator_type !== 'user') return null;
    const message: InboundMessage = {
      ...base(envelope, context, event.user_id),
      chat: { id: '', kind: 'group' },
      kind: 'reaction',
      sentAt: millisOf(event.action_time, context.now),
      text: change === 'added' ? event.reaction_type.emoji_type : `[removed ${event.reaction_type.emoji_type}]`,
      quote: { messageId: event.message_id, fromBot: false, text: '', files: [] },
    };
    return { message, lookup: { about: event.message_id } };
  };

/** The bot was added to a group or removed, or the group is no more. */
export const membership =
  (kind: 'joined' | 'left'): Converter =>
  (envelope, context) => {
    const event = membershipShape.parse(envelope.event);
    const message: InboundMessage = {
      ...base(envelope, context, event.operator_id, event.operator_tenant_key),
      chat: { id: event.chat_id, kind: 'group' }, // some say that `name` is the group's, some that it is the bot's
      kind,
      text: `@${safeName(context.bot.name)}`,
      mentions: [{ id: context.bot.openId, name: safeName(context.bot.name) }],
    };
    const sender = event.operator_id.open_id;
    const chat = kind === 'joined' ? { chat: 'title' as const } : {}; // who has left is not told any more
    return { message, lookup: { ...chat, ...(sender === undefined ? {} : { sender }) } };
  };

/** People were added to a group or have left it. */
export const people =
  (kind: 'joined' | 'left'): Converter =>
  (envelope, context) => {
    const event = peopleShape.parse(envelope.event);
    const mentions = event.users.map(({ name, user_id: ids }) => ({ id: idOf(ids) ?? '', name: safeName(name) }));
    const message: InboundMessage = {
      ...base(envelope, context, event.operator_id, event.operator_tenant_key),
      chat: { id: event.chat_id, kind: 'group', ...(event.name === undefined ? {} : { title: safeName(event.name) }) },
      kind,
      text: mentions.map(({ name }) => `@${name}`).join(' '),
      mentions,
    };
    const sender = event.operator_id.open_id;
    return { message, lookup: sender === undefined ? {} : { sender } };
  };

/** Who opens the direct chat for the first time says hello with it, as with the button that other platforms have. */
export const convertEntered: Converter = (envelope, context) => {
  const { chat_id: chat, operator_id: operator, last_message_id: last } = enteredShape.parse(envelope.event);
  if (last !== undefined && last !== '') return null;
  const message: InboundMessage = {
    ...base(envelope, context, operator),
    chat: { id: chat, kind: 'dm' },
    kind: 'message',
    text: '/start',
    addressed: 'dm',
  };
  return { message, lookup: operator.open_id === undefined ? {} : { sender: operator.open_id } };
};

/** An entry of the bot's menu is a command: `/<key>`. Menus exist in direct chats only, and the event names none. */
export const convertMenu: Converter = (envelope, context) => {
  const { operator, event_key: key, timestamp } = menuShape.parse(envelope.event);
  const start = base(envelope, context, operator.operator_id);
  const message: InboundMessage = {
    ...start,
    chat: { id: start.sender.id, kind: 'dm' },
    kind: 'message',
    sender: { ...start.sender, name: personName(operator.operator_name) },
    sentAt: millisOf(timestamp ?? envelope.header.create_time, context.now),
    text: key.startsWith('/') ? key : `/${key}`,
    addressed: 'dm',
  };
  return { message, lookup: {} };
};

/** Something on a card was used: one of our buttons, or a form or menu of somebody's own card. */
export const convertCardAction: Converter = (envelope, context) => {
  const event = cardActionShape.parse(envelope.event);
  const { operator, action, context: place } = event;
  const { text, chatKind, topic } = actionOf(action);
  const message: InboundMessage = {
    ...base(envelope, context, operator, operator.tenant_key),
    chat: { id: place.open_chat_id, kind: chatKind ?? 'group' },
    ...(topic === undefined ? {} : { topic }),
    kind: 'action',
    sentAt: millisOf(envelope.header.create_time, context.now),
    text,
    addressed: chatKind === 'dm' ? 'dm' : 'reply',
    quote: { messageId: place.open_message_id, fromBot: true, text: '', files: [] },
  };
  const sender = operator.open_id;
  return {
    message,
    lookup: {
      ...(sender === undefined ? {} : { sender }),
      ...(chatKind === undefined ? { chat: 'kind' as const } : {}),
    },
  };
};
