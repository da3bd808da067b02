import { AntlerError } from '../../../src/base/errors.ts';
import type { ChannelState, Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { BLANK, isBlank, parse } from '../../../src/format/index.ts';
import { mend } from '../../../src/format/unfinished.ts';
import { keyboardOf } from '../buttons.ts';
import { CAPTION_MAX_UTF16 } from '../limits.ts';
import { post, type Sending } from './post.ts';
import { render, renderPlain } from './render.ts';
import type { Rendered } from './writer.ts';

/** Sends one message. */
export async function sendMessage(
  sending: Sending,
  target: Target,
  document: Document,
  options: SendOptions,
): Promise<SentMessage> {
  const body = { ...textOf(document, options), ...(await keyboardFor(document, sending.state)) };
  return post(sending, target, 'sendMessage', body, { signal: options.signal });
}

/** Replaces the text of a message, or the caption of a file; that it says so already is as good as done. */
export async function editMessage(
  { api, state }: Pick<Sending, 'api' | 'state'>,
  target: Target,
  messageId: string,
  document: Document,
  options: SendOptions,
): Promise<void> {
  const place = { chat_id: target.chat, message_id: Number(messageId), ...(await keyboardFor(document, state)) };
  const edit = (method: string, body: object): Promise<unknown> =>
    api.call(method, { ...place, ...body }, { signal: options.signal, idempotent: true });
  try {
    await edit('editMessageText', textOf(document, options));
  } catch (error) {
    if (isCode(error, 'not_modified')) return;
    if (!isCode(error, 'unsupported')) throw error;
    await edit('editMessageCaption', captionOf(rendered(document.markdown, options))).catch((refusal: unknown) => {
      if (!isCode(refusal, 'not_modified')) throw refusal;
    });
  }
}

/** Takes a message away; one that is gone already is as good as deleted. */
export async function deleteMessage({ api }: Pick<Sending, 'api'>, target: Target, messageId: string): Promise<void> {
  const payload = { chat_id: target.chat, message_id: Number(messageId) };
  try {
    await api.call('deleteMessage', payload, { idempotent: true });
  } catch (error) {
    if (!isCode(error, 'target_gone')) throw error;
  }
}

/** Markdown as Telegram shows it. */
export function rendered(markdown: string, { plain, draft }: Pick<SendOptions, 'plain' | 'draft'>): Rendered {
  const parsed = parse(draft === true ? mend(markdown) : markdown);
  return plain === true ? renderPlain(parsed) : render(parsed);
}

/** What goes with a file; the caller has seen to it that it fits, and an edit is cut rather than refused. */
export function captionOf({ text, entities }: Rendered): object {
  if (text.length <= CAPTION_MAX_UTF16) return { caption: text, caption_entities: entities };
  return { caption: `${text.slice(0, CAPTION_MAX_UTF16 - 1).toWellFormed()}…` };
}

/** Link previews wait for the finished text: while it grows they would come, change and push the text about. */
function textOf(document: Document, options: SendOptions): object {
  const { text, entities } = rendered(document.markdown, options);
  return {
    text: isBlank(text) ? BLANK : text,
    ...(entities.length > 0 ? { entities } : {}),
    ...(options.draft === true ? { link_preview_options: { is_disabled: true } } : {}),
  };
}

const keyboardFor = async ({ buttons }: Document, state: ChannelState): Promise<object> =>
  buttons === undefined ? {} : { reply_markup: await keyboardOf(buttons, state) };

const isCode = (error: unknown, code: AntlerError['code']): boolean =>
  error instanceof AntlerError && error.code === code;
