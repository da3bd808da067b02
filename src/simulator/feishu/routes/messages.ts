import { ApiError, invalid, recalled } from '../api-error.ts';
import { FLOOD } from '../limits.ts';
import { type App, type Card, type Chat, isApp, isRecord, type Mention, type Message } from '../model.ts';
import { placeOfReply } from '../people.ts';
import { parsed } from '../text.ts';
import { messageItem } from '../wire.ts';
import { checkCard } from './card-rules.ts';
import { type Answer, type Call, type Route, text } from './context.ts';

const TYPES = new Set([
  'text',
  'post',
  'interactive',
  'image',
  'file',
  'audio',
  'media',
  'sticker',
  'share_chat',
  'share_user',
]);
const POST_TAGS = new Set(['text', 'a', 'at', 'img', 'media', 'emotion', 'code_block', 'hr', 'md']);

export const createMessage: Route = (call) => {
  const { world, app, query, body } = call;
  const id = text(body.receive_id);
  const chat = query.get('receive_id_type') === 'open_id' ? directChat(call, id) : world.chat(id);
  if (chat === undefined) throw invalid('invalid receive_id');
  return send(call, chat, app, undefined);
};

export const replyMessage: Route = (call) => {
  const parent = existing(call);
  return send(call, parent.chat, call.app, parent);
};

function send(call: Call, chat: Chat, app: App, parent: Message | undefined): Answer {
  const { world, body, flood } = call;
  if (!chat.apps.includes(app)) throw new ApiError(230002, 'Bot/User can NOT be out of the chat.');
  if (chat.disbanded) throw new ApiError(230045, 'The chat not exist.');
  const uuid = text(body.uuid);
  if (uuid.length > world.limits.maxUuidChars) throw invalid('uuid length is greater than 50');
  const before = uuid === '' ? undefined : world.uuids.get(`${app.appId}/${uuid}`);
  if (before !== undefined && before.at > world.now() - world.limits.uuidMs)
    return { data: messageItem(before.message) };
  flood?.count(`chat ${chat.id}`, FLOOD.chatPerSecond, 230020);
  const type = text(body.msg_type);
  if (!TYPES.has(type)) throw invalid('invalid msg_type');
  const { content, mentions, card } = checkContent(call, type, text(body.content), chat);
  const message = world.post({
    chat,
    from: app,
    type,
    content,
    mentions,
    ...(card === undefined ? {} : { card }),
    ...placeOfReply(world, chat, parent, body.reply_in_thread === true || parent?.threadId !== undefined),
  });
  if (card !== undefined) card.message = message;
  if (uuid !== '') world.uuids.set(`${app.appId}/${uuid}`, { message, at: world.now() });
  return { data: messageItem(message) };
}

export const updateMessage: Route = (call) => {
  const { world, body } = call;
  const message = own(call);
  if (message.type !== 'text' && message.type !== 'post')
    throw new ApiError(230074, 'This type of message can not be edited.');
  if (message.edits >= world.limits.maxEdits) {
    throw new ApiError(230072, 'The message has reached the number of times it can be edited.');
  }
  const type = text(body.msg_type);
  if (type !== 'text' && type !== 'post') throw invalid('invalid msg_type');
  message.type = type;
  message.content = checkContent(call, type, text(body.content), message.chat).content;
  edited(call, message);
  return { data: messageItem(message) };
};

export const patchMessage: Route = (call) => {
  const { world, body, flood } = call;
  const message = own(call);
  const { card } = message;
  if (card === undefined) throw invalid('This message is NOT a card');
  if (message.at < world.now() - world.limits.cardLifeMs) {
    throw new ApiError(230031, 'Message can only be modified within 14 days after sending.');
  }
  flood?.count(`patch ${message.id}`, FLOOD.patchPerSecond, 230020);
  const json = parsed(text(body.content));
  checkSize(call, world.limits.maxCardBytes);
  checkCard(json, world);
  if (!isShared(card.json) || !isShared(json))
    throw new ApiError(230099, 'Failed to create card content, ext=the card is not shared');
  card.json = json;
  if (!isStreaming(json)) delete card.streamingSince;
  edited(call, message);
  return { data: {} };
};

export const deleteMessage: Route = (call) => {
  const message = own(call);
  call.world.recall(message, call.app);
  return { data: {} };
};

export const getMessage: Route = ({ world, ids, app, query }) => {
  const message = world.message(ids[0] ?? '');
  if (message === undefined) throw invalid('invalid message_id');
  if (!message.chat.apps.includes(app)) throw new ApiError(230002, 'Bot/User can NOT be out of the chat.');
  if (message.recalledAt !== undefined)
    throw new ApiError(230110, 'Action unavailable as the message has been deleted.');
  const asMade = query.get('card_msg_content_type') === 'user_card_content';
  return { data: { items: [messageItem(message, { asMade }), ...inside(message, asMade)] } };
};

/** What is in a forward, forwards in it included. */
const inside = ({ id, children = [] }: Message, asMade: boolean): object[] =>
  children.flatMap((child) => [messageItem(child, { upperId: id, asMade }), ...inside(child, asMade)]);

export const listMessages: Route = ({ world, query, app }) => {
  if (app.lacks.has('im:message.group_msg')) throw new ApiError(230027, 'Lack of necessary permissions.');
  const asMade = query.get('card_msg_content_type') === 'user_card_content';
  const isBackwards = query.get('sort_type') === 'ByCreateTimeDesc';
  const container = query.get('container_id') ?? '';
  const size = Number(query.get('page_size') ?? 20);
  const all = world.chats.flatMap(({ messages }) => messages);
  const end = query.get('end_time');
  const endMs = end === null ? Number.POSITIVE_INFINITY : Number(end) * 1_000;
  const found = all.filter(({ chat, threadId, at }) =>
    query.get('container_id_type') === 'thread' ? threadId === container : chat.id === container && at <= endMs,
  );
  const items = (isBackwards ? found.toReversed() : found).slice(0, size);
  return { data: { items: items.map((message) => messageItem(message, { asMade })), has_more: found.length > size } };
};

function existing({ world, ids }: Call): Message {
  const message = world.message(ids[0] ?? '');
  if (message === undefined) throw invalid('invalid message_id');
  if (message.recalledAt !== undefined) throw recalled();
  return message;
}

function own(call: Call): Message {
  const message = existing(call);
  if (message.from !== call.app) throw new ApiError(230071, 'The operator is not the sender of the message.');
  return message;
}

function edited({ world }: Call, message: Message): void {
  message.edits += 1;
  message.editedAt = world.now();
  world.changed(message);
}

interface Checked {
  readonly content: string;
  readonly mentions: readonly Mention[];
  readonly card?: Card;
}

function checkContent(call: Call, type: string, raw: string, chat: Chat): Checked {
  const { world } = call;
  checkSize(call, type === 'text' ? world.limits.maxTextBytes : world.limits.maxCardBytes);
  const content = parsed(raw);
  if (Object.keys(content).length === 0) throw invalid('content is not in JSON format');
  if (type === 'text') return textContent(text(content.text), chat);
  if (type === 'post') {
    checkPost(call, content);
    return postContent(content, chat);
  }
  if (type === 'interactive') return { content: raw, mentions: [], card: cardOf(call, content) };
  checkFiles(call, type, content);
  return { content: raw, mentions: [] };
}

/** A key has to be of something that was uploaded, and as what the message shows it as. */
function checkFiles({ world }: Call, type: string, content: Record<string, unknown>): void {
  if (type === 'image') {
    if (world.files.get(text(content.image_key))?.kind !== 'image') throw invalid('invalid image_key');
    return;
  }
  const wanted = new Map([
    ['audio', 'opus'],
    ['media', 'mp4'],
  ]).get(type);
  if (wanted === undefined && type !== 'file') return;
  const file = world.files.get(text(content.file_key));
  if (file?.kind !== 'file') throw invalid('invalid file_key');
  const isOther = wanted === undefined ? file.type === 'opus' || file.type === 'mp4' : file.type !== wanted;
  if (isOther) throw new ApiError(230055, 'The type of file upload does not match the type of message being sent.');
}

function checkSize({ bodyBytes }: Call, limit: number): void {
  if (bodyBytes > limit) throw new ApiError(230025, 'The length of the message content reaches its limit.');
}

/** `<at user_id="…">` in texts becomes a placeholder with its entry, as readers get it. */
function textContent(value: string, chat: Chat): Checked {
  if (value === '') throw invalid('text is empty');
  const mentions: Mention[] = [];
  const marked = value.replace(/<at user_id="([^"]*)">[^<]*<\/at>/g, (whole, id: string) => {
    const account = [...chat.users, ...chat.apps].find(({ openId }) => openId === id);
    if (account === undefined) return whole;
    const key = `@_user_${mentions.length + 1}`;
    mentions.push({ key, openId: id, name: account.name });
    return key;
  });
  return { content: JSON.stringify({ text: marked }), mentions };
}

/** As in texts, readers get a placeholder for everybody who is mentioned. */
function postContent(content: Record<string, unknown>, chat: Chat): Checked {
  const mentions: Mention[] = [];
  const marked = JSON.stringify(content, (_, value: unknown) => {
    if (!isRecord(value) || value.tag !== 'at') return value;
    const account = [...chat.users, ...chat.apps].find(({ openId }) => openId === value.user_id);
    if (account === undefined) return value;
    const key = `@_user_${mentions.length + 1}`;
    mentions.push({ key, openId: account.openId, name: account.name });
    return { ...value, user_id: key, user_name: account.name };
  });
  return { content: marked, mentions };
}

function checkPost({ world }: Call, content: Record<string, unknown>): void {
  const bodies = Object.values(content).filter(isRecord);
  const rows = bodies.flatMap((body) => (Array.isArray(body.content) ? body.content : [undefined]));
  const isGood = (element: unknown): boolean => isRecord(element) && POST_TAGS.has(text(element.tag));
  if (rows.length === 0 || !rows.every((row) => Array.isArray(row) && row.every(isGood))) {
    throw invalid('invalid message content');
  }
  const keys = rows
    .flat()
    .flatMap((element) => (isRecord(element) && element.tag === 'img' ? [element.image_key] : []));
  if (keys.some((key) => world.files.get(text(key))?.kind !== 'image')) throw invalid('invalid image_key');
}

function cardOf({ world, app }: Call, content: Record<string, unknown>): Card {
  if (content.type === 'card' && isRecord(content.data)) {
    const card = world.cards.get(text(content.data.card_id));
    if (card === undefined || card.app !== app)
      throw new ApiError(230099, 'Failed to create card content, ext=invalid card_id');
    if (card.message !== undefined) throw new ApiError(230099, 'Failed to create card content, ext=the card was sent');
    return card;
  }
  checkCard(content, world);
  const card: Card = {
    id: world.id('card'),
    app,
    json: content,
    madeAt: world.now(),
    sequence: 0,
    uuids: new Set(),
    ...(isStreaming(content) ? { streamingSince: world.now() } : {}),
  };
  world.cards.set(card.id, card);
  return card;
}

const isStreaming = (json: Card['json']): boolean => json.config?.streaming_mode === true;

const isShared = (json: Card['json']): boolean => json.schema === '2.0' || json.config?.update_multi === true;

function directChat({ world, app }: Call, openId: string): Chat | undefined {
  return world.chats.find(
    ({ kind, users, apps }) => kind === 'p2p' && apps.includes(app) && users.some((user) => user.openId === openId),
  );
}

export const createReaction: Route = (call) => {
  const { world, app, body } = call;
  const message = existing(call);
  const emoji = isRecord(body.reaction_type) ? text(body.reaction_type.emoji_type) : '';
  if (!/^[A-Za-z]\w{0,29}$/.test(emoji)) throw new ApiError(231001, 'The reaction type is invalid.');
  const reaction = { id: world.id('re'), emoji, by: app };
  message.reactions.push(reaction);
  world.events.emit({ type: 'reaction', chat: message.chat, message });
  // The platform tells apps of their own reactions too.
  const event = {
    message_id: message.id,
    reaction_type: { emoji_type: emoji },
    operator_type: 'app',
    app_id: app.appId,
  };
  world.push(app, 'im.message.reaction.created_v1', { ...event, action_time: String(world.now()) });
  return { data: { reaction_id: reaction.id, reaction_type: { emoji_type: emoji } } };
};

export const deleteReaction: Route = (call) => {
  const message = existing(call);
  const index = message.reactions.findIndex(({ id, by }) => id === call.ids[1] && isApp(by));
  if (index < 0) throw new ApiError(231003, 'The reaction is not found.');
  message.reactions.splice(index, 1);
  call.world.events.emit({ type: 'reaction', chat: message.chat, message });
  return { data: {} };
};
