import { z } from 'zod';
import { AntlerError } from '../../../src/base/errors.ts';
import type { ChannelState, Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { parse } from '../../../src/format/index.ts';
import { mend } from '../../../src/format/unfinished.ts';
import type { BotApi } from '../api.ts';
import { keyboardOf } from '../buttons.ts';
import { MigratedError } from '../errors.ts';
import { GENERAL_TOPIC } from '../normalize/sender.ts';
import { render, renderPlain } from './render.ts';

export interface Sending {
  readonly api: BotApi;
  readonly state: ChannelState;
  /** A send has shown that a group became a supergroup. */
  readonly onMigrated: (target: Target, newChat: string) => void;
}

const sentShape = z.object({ message_id: z.int() });

/** Stands for a text of which nothing can be seen, since Telegram takes no empty message. */
const BLANK = '…';

/** Sends one message. A group that has moved is followed to its new id at once: the old one took nothing. */
export async function sendMessage(
  { api, state, onMigrated }: Sending,
  target: Target,
  document: Document,
  options: SendOptions,
): Promise<SentMessage> {
  const body = await bodyOf(document, options, state);
  const call = async (to: Target): Promise<SentMessage> => {
    const result = await api.call('sendMessage', { ...placeOf(to), ...body }, { signal: options.signal });
    const sent = sentShape.safeParse(result);
    // It was accepted, so sending it again would say it twice.
    if (!sent.success) throw new AntlerError('uncertain', 'Telegram’s answer names no message.');
    return { id: String(sent.data.message_id) };
  };
  try {
    return await call(target);
  } catch (error) {
    if (!(error instanceof MigratedError)) throw error;
    onMigrated(target, error.newChat);
    return await call({ chat: error.newChat, chatKind: 'group' });
  }
}

/** Replaces the text of a message; that it says so already is as good as done. */
export async function editMessage(
  { api, state }: Sending,
  target: Target,
  messageId: string,
  document: Document,
  options: SendOptions,
): Promise<void> {
  const body = await bodyOf(document, options, state);
  const payload = { chat_id: target.chat, message_id: Number(messageId), ...body };
  try {
    await api.call('editMessageText', payload, { signal: options.signal, idempotent: true });
  } catch (error) {
    if (!(error instanceof AntlerError && error.code === 'not_modified')) throw error;
  }
}

/** Takes a message away; one that is gone already is as good as deleted. */
export async function deleteMessage({ api }: Sending, target: Target, messageId: string): Promise<void> {
  const payload = { chat_id: target.chat, message_id: Number(messageId) };
  try {
    await api.call('deleteMessage', payload, { idempotent: true });
  } catch (error) {
    if (!(error instanceof AntlerError && error.code === 'target_gone')) throw error;
  }
}

/** Where a message goes: chat, topic, and what it answers. A question that is gone does not keep the answer back. */
export function placeOf({ chat, topic, replyTo }: Target): object {
  const thread = Number(topic);
  const question = Number(replyTo);
  return {
    chat_id: chat,
    ...(Number.isSafeInteger(thread) && thread !== GENERAL_TOPIC ? { message_thread_id: thread } : {}),
    ...(Number.isSafeInteger(question) && question > 0
      ? { reply_parameters: { message_id: question, allow_sending_without_reply: true } }
      : {}),
  };
}

/** Link previews wait for the finished text: while it grows they would come, change and push the text about. */
async function bodyOf(document: Document, { plain, draft }: SendOptions, state: ChannelState): Promise<object> {
  const parsed = parse(draft === true ? mend(document.markdown) : document.markdown);
  const { text, entities } = plain === true ? renderPlain(parsed) : render(parsed);
  return {
    text: text.trim() === '' ? BLANK : text,
    ...(entities.length > 0 ? { entities } : {}),
    ...(draft === true ? { link_preview_options: { is_disabled: true } } : {}),
    ...(document.buttons === undefined ? {} : { reply_markup: await keyboardOf(document.buttons, state) }),
  };
}
