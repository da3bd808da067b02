import { pressedValue } from '../../../src/channel/kept-values.ts';
import type { Lanes } from '../../../src/channel/lanes.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { AdapterContext } from '../../../src/channel/port.ts';
import { BLANK } from '../../../src/format/index.ts';
import { normalize } from '../bot/normalize/index.ts';
import { bodyShape, type Poll, pollShape } from '../bot/normalize/wire.ts';
import type { WecomConfig } from '../config.ts';
import { greetOnce } from '../greeted.ts';
import { STREAM_MAX_MS } from '../limits.ts';
import { pressedCard } from '../outbound/card.ts';
import type { Answering } from './answering.ts';
import type { Place } from './places.ts';
import { leftFor } from './send.ts';

export interface ReceiveOptions {
  readonly context: AdapterContext<WecomConfig>;
  readonly answering: Answering;
  readonly lanes: Lanes;
}

/** WeCom waits five seconds for a welcome. */
const WELCOME_PATIENCE_MS = 3_500;
/** A message that nobody works on after so long gets no answer: it was not for us to answer. */
const SILENCE_MS = 30_000;

/** Takes in one callback and says what to answer; undefined: nothing. What was said is durable by then. */
export function receiver({
  context,
  answering,
  lanes,
}: ReceiveOptions): (posted: unknown) => Promise<object | undefined> {
  const { channel, config, clock, log, accept, state } = context;
  const { places, bell, said, cards } = answering;

  return async (posted) => {
    const poll = pollShape.safeParse(posted);
    if (poll.success) return standOf(poll.data);
    const message = normalize(posted, { channel, botName: config.bot_name, now: clock.now() });
    if (message === null) {
      log.debug({ channel }, 'nothing to take in from this callback');
      return undefined;
    }
    const body = bodyShape.parse(posted);
    const url = isAddress(body.response_url) ? body.response_url : undefined;
    const open = (kind: Place['kind']) => {
      const about = { message: message.id, kind, at: clock.now() };
      return places.open(message.chat.id, url === undefined ? about : { ...about, url });
    };
    if (message.kind === 'action') return press(message, open);
    if (body.event?.eventtype === 'enter_chat') return welcome(message, open);
    if (message.kind === 'message') return answerLater(message, open);
    await accept(message);
    return undefined;
  };

  /** A message that is delivered again shows its answer in the same place, and not once more when it was shown already. */
  async function answerLater(
    message: InboundMessage,
    open: (kind: 'stream') => Promise<Place>,
  ): Promise<object | undefined> {
    const chat = message.chat.id;
    return lanes.run(chat, async () => {
      const place = await open('stream');
      await accept(await said.recognise(message));
      if (place.state === 'fetched' || place.state === 'left') return undefined;
      await handedOut(chat, place);
      return streamed(place);
    });
  }

  async function welcome(
    message: InboundMessage,
    open: (kind: 'welcome') => Promise<Place>,
  ): Promise<object | undefined> {
    let answer: object | undefined;
    await greetOnce(state, message, async () => {
      const { id } = await open('welcome');
      await accept(message);
      const chat = message.chat.id;
      const done = await bell.wait(id, WELCOME_PATIENCE_MS, async () => {
        const place = await places.find(chat, id);
        return place?.state === 'done' ? place : undefined;
      });
      if (done === undefined) return;
      await handedOut(chat, done);
      answer = { msgtype: 'text', text: { content: done.text } };
    });
    return answer;
  }

  async function press(message: InboundMessage, open: (kind: 'url') => Promise<Place>): Promise<object | undefined> {
    const value = await pressedValue(message.text, state);
    if (value === null) return undefined;
    await open('url');
    await accept({ ...message, text: value });
    const card = cards.get(message.quote?.messageId ?? '');
    return card && { response_type: 'update_template_card', template_card: pressedCard(card, message.text) };
  }

  /** How an answer stands, for WeCom, which shows it and asks again until it is finished. */
  async function standOf({ stream: { id }, chatid, chattype, from }: Poll): Promise<object> {
    const user = from?.userid ?? '';
    const isGroup = chattype === 'group' && chatid !== undefined && chatid !== '';
    const chat = isGroup ? chatid : user;
    const place = await places.find(chat, id);
    if (place === undefined) return ending(id, BLANK);
    await handedOut(chat, place);
    if (place.state !== 'growing') return streamed(place);
    const age = clock.now() - place.at;
    const isForgotten =
      place.text === '' &&
      age > SILENCE_MS &&
      !(await context.isBusy({ chat, chatKind: isGroup ? 'group' : 'dm' }, user));
    if (age < STREAM_MAX_MS && !isForgotten) return streamed(place);
    return streamed((await leave(chat, place)) ?? place);
  }

  /** Notes that WeCom has an answer now, if it is one. */
  async function handedOut(chat: string, { id, state: before }: Place): Promise<void> {
    if (before !== 'done') return;
    await places.change(chat, id, (place) => (place.state === 'done' ? { ...place, state: 'fetched' } : place));
    bell.ring(id);
  }

  /** Ends an answer that will not be complete in time; the whole of it comes below, where there is a way. */
  function leave(chat: string, { id }: Place): Promise<Place | undefined> {
    return places.change(chat, id, (place) => {
      if (place.state !== 'growing') return place;
      return (place.text === '' ? undefined : leftFor(place)) ?? { ...place, state: 'left' };
    });
  }
}

const isAddress = (url: string | undefined): url is string =>
  url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? '');

/** An answer never ends empty: WeCom would show nothing at all. */
function streamed({ id, text, state, card }: Place): object {
  if (state === 'growing') return { msgtype: 'stream', stream: { id, finish: false, content: text } };
  if (card === undefined || state === 'left') return ending(id, text === '' ? BLANK : text);
  return { ...ending(id, text), msgtype: 'stream_with_template_card', template_card: card };
}

const ending = (id: string, content: string): object => ({ msgtype: 'stream', stream: { id, finish: true, content } });
