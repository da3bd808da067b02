import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../api-error.ts';
import type { Chat, Message } from '../chat.ts';
import { messageToWire } from '../message-wire.ts';
import { isRecord } from '../params.ts';
import { contentOf, keyboardOf, replyOf, topicOf } from './compose.ts';
import { type Call, type Method, reachableChatOf, writableChatOf } from './context.ts';

const sendMessage: Method = (call) => {
  const { world, bot, flood } = call;
  const chat = writableChatOf(call);
  const content = contentOf(call, 'text');
  if (content.text === '') throw badRequest('message text is empty');
  if (content.text.length > world.limits.maxTextUtf16) throw badRequest('message is too long');
  const keyboard = keyboardOf(call);
  const topic = topicOf(call, chat);
  const reply = replyOf(call, chat);
  flood?.count(chat);
  const message = world.post({
    chat,
    from: bot.user,
    content,
    ...reply,
    ...(topic === undefined ? {} : { topic }),
    ...(keyboard === undefined ? {} : { keyboard }),
  });
  return messageToWire(message);
};

/** A message of the bot's own, named by `message_id`. */
function ownMessage(call: Call, chat: Chat, action: 'edit' | 'delete'): Message {
  const id = call.params.integer('message_id');
  if (id === undefined) throw badRequest('message identifier is not specified');
  const message = call.world.find(chat, id);
  if (message === undefined) throw badRequest(`message to ${action} not found`);
  return message;
}

function editable(call: Call): { chat: Chat; message: Message } {
  const chat = reachableChatOf(call);
  const message = ownMessage(call, chat, 'edit');
  if (message.from.id !== call.bot.user.id) throw badRequest("message can't be edited");
  return { chat, message };
}

function applyEdit(call: Call, message: Message, content: Message['content']): unknown {
  const keyboard = keyboardOf(call);
  if (isDeepStrictEqual(content, message.content) && isDeepStrictEqual(keyboard, message.keyboard))
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  call.flood?.count(message.chat);
  call.world.edit(message, { content, keyboard });
  return messageToWire(message);
}

const editMessageText: Method = (call) => {
  const { message } = editable(call);
  if (message.media !== undefined) throw badRequest('there is no text in the message to edit');
  const content = contentOf(call, 'text');
  if (content.text === '') throw badRequest('message text is empty');
  if (content.text.length > call.world.limits.maxTextUtf16) throw badRequest('MESSAGE_TOO_LONG');
  return applyEdit(call, message, content);
};

const editMessageCaption: Method = (call) => {
  const { message } = editable(call);
  if (message.media === undefined) throw badRequest('there is no caption in the message to edit');
  const content = contentOf(call, 'caption');
  if (content.text.length > call.world.limits.maxCaptionUtf16) throw badRequest('MEDIA_CAPTION_TOO_LONG');
  return applyEdit(call, message, content);
};

const editMessageReplyMarkup: Method = (call) => {
  const { message } = editable(call);
  return applyEdit(call, message, message.content);
};

const deleteMessage: Method = (call) => {
  const chat = reachableChatOf(call);
  const message = ownMessage(call, chat, 'delete');
  const { world, bot } = call;
  const own = message.from.id === bot.user.id;
  const mayDelete = own || chat.kind === 'private' || chat.members.get(bot.user.id)?.status === 'administrator';
  if (!mayDelete || world.now() - message.at > world.limits.deletableMs)
    throw badRequest("message can't be deleted for everyone");
  world.remove(message);
  return true;
};

const sendChatAction: Method = (call) => {
  const { world, bot, params } = call;
  const chat = writableChatOf(call);
  const action = params.text('action');
  if (action === '') throw badRequest('wrong parameter action in request');
  topicOf(call, chat);
  world.events.emit({ type: 'typing', chat, user: bot.user, action, until: world.now() + world.limits.typingMs });
  return true;
};

const setMessageReaction: Method = (call) => {
  const { world, bot, params } = call;
  const chat = reachableChatOf(call);
  const message = world.find(chat, params.integer('message_id') ?? 0);
  if (message === undefined) throw badRequest('message to react not found');
  const list = params.json('reaction');
  const emoji = (Array.isArray(list) ? list : []).flatMap((one) =>
    isRecord(one) && typeof one.emoji === 'string' ? [one.emoji] : [],
  );
  if (emoji.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  if (emoji.some((one) => !/^\p{Extended_Pictographic}/u.test(one))) throw badRequest('REACTION_INVALID');
  world.react(message, bot.user, emoji);
  return true;
};

const answerCallbackQuery: Method = ({ world, bot, params }) => {
  const open = world.presses.get(params.text('callback_query_id'));
  const text = params.text('text');
  if (text.length > world.limits.maxCallbackAnswerChars) throw badRequest('MESSAGE_TOO_LONG');
  if (open === undefined || open.bot !== bot || world.now() - open.press.at > world.limits.callbackLifeMs)
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  world.presses.delete(open.press.id);
  open.press.answer = { text, alert: params.flag('show_alert') };
  world.events.emit({ type: 'pressed', chat: open.message.chat, message: open.message, press: open.press });
  return true;
};

export const messageMethods: Readonly<Record<string, Method>> = {
  sendMessage,
  editMessageText,
  editMessageCaption,
  editMessageReplyMarkup,
  deleteMessage,
  sendChatAction,
  setMessageReaction,
  answerCallbackQuery,
};
