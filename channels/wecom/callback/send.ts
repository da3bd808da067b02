import { randomUUID } from 'node:crypto';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { languageOf, say } from '../../../src/base/sentences.ts';
import type { Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { STREAM_MAX_MS } from '../limits.ts';
import { bareCard, canBeCard, cardWithText } from '../outbound/card.ts';
import { textOf, textWithChoices } from '../outbound/text.ts';
import type { Answering } from './answering.ts';
import type { Place } from './places.ts';
import { respond } from './respond.ts';

/**
 * Answers: in the place of what is answered while WeCom still asks for it, else by an address that it gave.
 * @throws AntlerError `unsupported` for a stand of an answer that has no place to grow in; `forbidden` when there is no
 * way left
 */
export async function sendMessage(
  answering: Answering,
  target: Target,
  document: Document,
  options: SendOptions,
): Promise<SentMessage> {
  const { places, clock } = answering;
  const { chat } = target;
  const { key, draft = false } = options;
  const answered = await places.answered(target);
  const place =
    answered.find(({ by }) => by === key) ??
    answered.find(({ grows, state }) => !draft && grows === true && state === 'growing') ??
    answered.find((candidate) => candidate.by === undefined && isOpen(candidate, draft, clock.now()));
  if (place !== undefined && place.state !== 'left') {
    await places.change(chat, place.id, (known) => ({ ...known, by: key, grows: draft }));
    if (draft) {
      await grow(answering, chat, place.id, document);
      return { id: place.id };
    }
    if (await finish(answering, chat, place, document, options)) return { id: place.id };
  }
  if (draft) throw new AntlerError('unsupported', 'This answer cannot be seen growing.');
  return sendByAddress(answering, target, document, options);
}

/** Replaces what a growing answer says. */
export async function editMessage(
  answering: Answering,
  { chat }: Target,
  messageId: string,
  document: Document,
  options: SendOptions,
): Promise<void> {
  const place = await answering.places.find(chat, messageId);
  const isDraft = options.draft === true;
  if (place === undefined || place.state === 'left') {
    if (isDraft && place !== undefined) return;
    throw new AntlerError('target_gone', 'This message of WeCom’s cannot be changed any more.');
  }
  if (isDraft) return grow(answering, chat, messageId, document);
  if (!(await finish(answering, chat, place, document, options)))
    throw new AntlerError('target_gone', 'WeCom does not ask for this message any more.');
}

const isOpen = ({ kind, state, at }: Place, grows: boolean, now: number): boolean =>
  state === 'growing' && (kind === 'stream' || (kind === 'welcome' && !grows)) && now - at < STREAM_MAX_MS;

async function grow({ places, bell }: Answering, chat: string, id: string, document: Document): Promise<void> {
  const text = textOf(document, 'bot');
  await places.change(chat, id, (place) => (place.state === 'growing' ? { ...place, text } : place));
  bell.ring(id);
}

/** Puts the end of an answer where WeCom fetches it; false when it did not, so that the answer has to go another way. */
async function finish(
  answering: Answering,
  chat: string,
  place: Place,
  document: Document,
  { key, plain }: SendOptions,
): Promise<boolean> {
  const { places, bell, said, state, cards } = answering;
  const dialect = plain === true || place.kind === 'welcome' ? 'plain' : 'bot';
  const hasCard = dialect === 'bot' && canBeCard(document);
  const text = hasCard ? textOf(document, dialect) : textWithChoices(document, dialect);
  const card = hasCard ? await bareCard(document.buttons ?? [], key, state) : undefined;
  if (card !== undefined) cards.set(card.task_id, card);
  const stands = await places.change(chat, place.id, (known) =>
    known.state === 'growing' ? { ...known, state: 'done', text, ...(card === undefined ? {} : { card }) } : known,
  );
  if (stands === undefined || stands.state === 'left' || stands.text !== text) return false;
  bell.ring(place.id);
  const fetched = await bell.wait(place.id, answering.patienceMs, async () => {
    const found = await places.find(chat, place.id);
    return found === undefined || found.state === 'done' ? undefined : found;
  });
  if (fetched?.state === 'fetched') {
    await said.note(chat, text);
    return true;
  }
  // From now on it is not handed out any more, or it could be read twice; without another way it stays, for who asks late.
  const after = await places.change(chat, place.id, (known) =>
    known.state === 'done' ? (leftFor(known) ?? known) : known,
  );
  return after?.state === 'fetched';
}

/** A place whose answer comes below instead; undefined where there is no way to do that. */
export const leftFor = (place: Place): Place | undefined =>
  place.url === undefined
    ? undefined
    : { ...place, state: 'left', text: say(languageOf(undefined, place.text), 'answer_below') };

async function sendByAddress(
  answering: Answering,
  target: Target,
  document: Document,
  { key, plain, signal }: SendOptions,
): Promise<SentMessage> {
  const { places, clock, said, state, cards, log } = answering;
  const { chat } = target;
  const own = (await places.answered(target)).filter(({ url }) => url !== undefined);
  const others = (await places.reachable(chat, clock.now())).filter(({ id }) => own.every((place) => place.id !== id));
  const isCard = plain !== true && canBeCard(document);
  const whole = isCard ? await cardWithText(document, key, state) : undefined;
  const text =
    whole === undefined ? textWithChoices(document, plain === true ? 'plain' : 'bot') : textOf(document, 'plain');
  const body = whole === undefined ? markdown(text) : { msgtype: 'template_card', template_card: whole };
  for (const { id, url } of [...own, ...others]) {
    if (url === undefined) continue;
    try {
      await respond(url, body, signal);
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.retryable || OF_THE_MESSAGE.has(error.code)) throw error;
      await spend(answering, chat, id);
      if (error.code === 'uncertain') throw error;
      log.debug({ problem: error.message }, 'an address takes no answer any more');
      continue;
    }
    await spend(answering, chat, id);
    if (whole !== undefined) cards.set(whole.task_id, whole);
    await said.note(chat, text);
    return { id: randomUUID() };
  }
  throw new AntlerError('forbidden', NO_WAY);
}

/** Not the address is to blame; it still takes an answer. */
const OF_THE_MESSAGE: ReadonlySet<string> = new Set(['cancelled', 'format_refused', 'too_large']);

const NO_WAY =
  'WeCom lets an AI bot that is called back answer each message once, and once more within an hour; it cannot begin. The long connection (transport: websocket) can.';

const markdown = (content: string): object => ({ msgtype: 'markdown', markdown: { content } });

async function spend({ places }: Answering, chat: string, id: string): Promise<void> {
  await places.change(chat, id, ({ url: _, ...place }) => place);
}
