import { type App, isApp, type Message, type User } from './model.ts';

const idsOf = ({ openId, unionId, userId }: User): object => ({
  open_id: openId,
  union_id: unionId,
  user_id: userId,
});

export const operatorIds = (user: User): object => idsOf(user);

/** The `event` of `im.message.receive_v1`. */
export function messageEvent(message: Message): object {
  const { from, chat, mentions } = message;
  return {
    sender: {
      sender_id: isApp(from) ? { open_id: from.openId } : idsOf(from),
      sender_type: isApp(from) ? 'app' : 'user',
      tenant_key: from.tenantKey,
    },
    message: {
      message_id: message.id,
      ...places(message),
      create_time: String(message.at),
      update_time: String(message.at),
      chat_id: chat.id,
      chat_type: chat.kind === 'p2p' ? 'p2p' : 'group',
      message_type: message.type,
      content: contentFor(message, true),
      ...(mentions.length === 0
        ? {}
        : {
            mentions: mentions.map(({ key, openId, name }) => ({
              key,
              id: { open_id: openId, union_id: '', user_id: '' },
              name,
              tenant_key: from.tenantKey,
            })),
          }),
    },
  };
}

export interface ItemOptions {
  /** The forward that the message is in. */
  readonly upperId?: string;
  /** Cards of version 2 are told as they were made. */
  readonly asMade?: boolean;
}

const UPGRADE = [[{ tag: 'text', text: '请升级至最新版本客户端，以查看内容' }]];

/** Readers get cards of version 2 as a plea to upgrade, and what they were made of beside it where that is asked for. */
function contentFor({ content, card }: Message, asMade: boolean): string {
  if (card?.json.schema !== '2.0') return content;
  return JSON.stringify({ title: null, elements: UPGRADE, ...(asMade ? { user_dsl: JSON.stringify(card.json) } : {}) });
}

/** A message as `GET /im/v1/messages/:id` and the answers of sends have it. */
export function messageItem(message: Message, { upperId, asMade = false }: ItemOptions = {}): object {
  const { from, mentions } = message;
  const isGone = message.recalledAt !== undefined;
  return {
    message_id: message.id,
    ...places(message),
    msg_type: message.type,
    create_time: String(message.at),
    update_time: String(message.editedAt ?? message.at),
    deleted: isGone,
    updated: message.edits > 0,
    chat_id: message.chat.id,
    sender: senderOf(from),
    body: { content: isGone ? '{"text":"This message was recalled"}' : contentFor(message, asMade) },
    ...(mentions.length === 0
      ? {}
      : {
          mentions: mentions.map(({ key, openId, name }) => ({
            key,
            id: openId,
            id_type: 'open_id',
            name,
            tenant_key: from.tenantKey,
          })),
        }),
    ...(upperId === undefined ? {} : { upper_message_id: upperId }),
  };
}

const senderOf = (from: User | App): object =>
  isApp(from)
    ? { id: from.appId, id_type: 'app_id', sender_type: 'app', tenant_key: from.tenantKey }
    : { id: from.openId, id_type: 'open_id', sender_type: 'user', tenant_key: from.tenantKey };

const places = ({ rootId, parentId, threadId }: Message): object => ({
  ...(rootId === undefined ? {} : { root_id: rootId }),
  ...(parentId === undefined ? {} : { parent_id: parentId }),
  ...(threadId === undefined ? {} : { thread_id: threadId }),
});
