import { randomUUID } from 'node:crypto';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { STREAM_MAX_MS } from '../limits.ts';
import { bareCard, type Card, canBeCard, cardWithText } from '../outbound/card.ts';
import { choicesOf, textOf, textWithChoices } from '../outbound/text.ts';
import type { Claim, Reply } from './replies.ts';
import type { Sending } from './sending.ts';
import type { Link } from './session.ts';

/**
 * Sends a message: as the answer in its place to what it answers, where that is still open, else by itself.
 * @param kind see {@link Claim}
 * @throws AntlerError `unsupported` for a stand of an answer that has no place to grow in: only its end is sent then
 */
export async function sendMessage(
  sending: Sending,
  target: Target,
  document: Document,
  options: SendOptions,
  kind: 'whole' | 'beside' = 'whole',
): Promise<SentMessage> {
  const { replies, clock, log } = sending;
  const { key, draft = false, signal } = options;
  const link = await sending.connection.link(signal);
  const claim: Claim = { delivery: key, kind: draft ? 'growing' : kind, now: clock.now() };
  const reply = await replies.claim(target, claim);
  if (reply !== undefined) {
    try {
      return await answer(sending, link, target, reply, document, options);
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.code !== 'target_gone' || draft) throw error;
      log.debug({ problem: error.message }, 'a message cannot be answered in its place; the answer is sent by itself');
    }
  }
  if (draft) throw new AntlerError('unsupported', 'This answer cannot be seen growing.');
  return sendByItself(sending, link, target, document, options);
}

/** Replaces what a growing answer says. */
export async function editMessage(
  sending: Sending,
  target: Target,
  messageId: string,
  document: Document,
  options: SendOptions,
): Promise<void> {
  const link = await sending.connection.link(options.signal);
  await sending.streams.grow(link, target.chat, messageId, await standOf(sending, target, document, options));
}

/** Shows in the place of what will be answered that the bot is at work. */
export async function showThinking({ connection, replies, streams, clock }: Sending, target: Target): Promise<void> {
  const now = clock.now();
  const place = await replies.think(target, now);
  if (place === undefined) return;
  const link = await connection.link();
  if (place.isNew) await streams.think(link, place.reqId);
  else if (now - place.since > STREAM_MAX_MS) await streams.stopThinking(link, place.reqId);
}

async function answer(
  sending: Sending,
  link: Link,
  target: Target,
  { kind, reqId, thinking: since }: Reply,
  document: Document,
  options: SendOptions,
): Promise<SentMessage> {
  if (kind === 'message') {
    const stand = await standOf(sending, target, document, options);
    return { id: await sending.streams.begin(link, target.chat, { reqId, since }, stand) };
  }
  // A welcome is shown as it is, without Markdown.
  const content = textWithChoices(document, 'plain');
  await link.call('aibot_respond_welcome_msg', { msgtype: 'text', text: { content } }, { reqId });
  await sending.said.note(target.chat, content);
  return { id: randomUUID() };
}

async function standOf(
  sending: Sending,
  { chat }: Target,
  document: Document,
  { key, draft = false, plain }: SendOptions,
) {
  const dialect = plain === true ? 'plain' : 'bot';
  const hasCard = !draft && plain !== true && canBeCard(document);
  const text = hasCard ? textOf(document, dialect) : textWithChoices(document, dialect);
  if (!draft) await sending.said.note(chat, text);
  if (!hasCard) return { text, final: !draft };
  const card = await bareCard(document.buttons ?? [], key, sending.state);
  sending.cards.set(card.task_id, card);
  return { text, final: true, card };
}

async function sendByItself(
  sending: Sending,
  link: Link,
  target: Target,
  document: Document,
  { key, plain }: SendOptions,
): Promise<SentMessage> {
  const { state, said } = sending;
  const { chat } = target;
  const dialect = plain === true ? 'plain' : 'bot';
  if (plain === true || !canBeCard(document)) {
    const text = textWithChoices(document, dialect);
    await push(link, chat, markdown(text));
    await said.note(chat, text);
    return { id: randomUUID() };
  }
  const whole = await cardWithText(document, key, state);
  if (whole !== undefined) {
    await pushCard(sending, link, chat, whole);
    await said.note(chat, textOf(document, 'plain'));
    return { id: whole.task_id };
  }
  const text = textOf(document, dialect);
  await push(link, chat, markdown(text));
  await said.note(chat, text);
  const buttons = document.buttons ?? [];
  const card = await bareCard(buttons, key, state);
  try {
    await pushCard(sending, link, chat, card);
  } catch (thrown) {
    // The words are there already; a second attempt would say them twice.
    sending.log.warn({ problem: asAntlerError(thrown).message }, 'buttons are shown as text');
    await push(link, chat, markdown(choicesOf(buttons))).catch((error: unknown) =>
      sending.log.warn({ problem: asAntlerError(error).message }, 'buttons are not shown'),
    );
  }
  return { id: card.task_id };
}

const markdown = (content: string): object => ({ msgtype: 'markdown', markdown: { content } });

async function pushCard({ cards }: Sending, link: Link, chat: string, card: Card): Promise<void> {
  await push(link, chat, { msgtype: 'template_card', template_card: card });
  cards.set(card.task_id, card);
}

/** Sends something that answers nothing. */
export const push = (link: Link, chat: string, body: object): Promise<unknown> =>
  link.call('aibot_send_msg', { chatid: chat, ...body });
