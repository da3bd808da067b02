import type { InboundMessage, Quote } from '../../../src/channel/message.ts';
import { personName, safeName } from '../../../src/format/safe-name.ts';
import type { BotIdentity, OpenApi } from '../api.ts';
import type { Content } from '../normalize/content.ts';
import type { Lookup, Reading } from '../normalize/index.ts';
import { contentOfItem } from '../normalize/message.ts';
import type { Item } from '../normalize/wire.ts';
import type { Names } from './directory.ts';
import { fetchMessage } from './fetch-message.ts';
import { nameOf, transcriptOf } from './forward.ts';
import type { Places } from './places.ts';
import { soon } from './soon.ts';

/** Of what is quoted, in UTF-16 code units. */
const QUOTE_MAX = 8_000;

export interface Sources {
  readonly api: OpenApi;
  /** Answers before the time is over, if need be that it does not know. */
  readonly names: Names;
  readonly places: Places;
  readonly bot: BotIdentity;
}

/**
 * Fills in what the event left out, as far as it can be had before `signal` aborts: everything here may fail, and the
 * message goes on without it. Null when there is no saying where it belongs.
 */
export async function complete(
  reading: Reading,
  sources: Sources,
  signal: AbortSignal,
): Promise<InboundMessage | null> {
  const { lookup } = reading;
  const { names } = sources;
  for (const { id, name } of reading.message.mentions) names.learn(id, name);
  const placed = await inItsPlace(reading, sources, signal);
  if (placed === null) return null;
  const [name, chat, answered, named] = await Promise.all([
    lookup.sender === undefined ? undefined : names.of(lookup.sender),
    lookup.chat === undefined ? undefined : names.chat(placed.chat.id),
    soon(withContext(placed, lookup, sources, signal), signal),
    withName(placed.text, lookup.unnamed, names),
  ]);
  const found = answered ?? placed;
  const message = lookup.unnamed === undefined ? found : { ...found, text: named };
  const kind = lookup.chat === 'kind' ? (chat?.kind ?? message.chat.kind) : message.chat.kind;
  return {
    ...message,
    ...(name === undefined ? {} : { sender: { ...message.sender, name: personName(name) } }),
    chat: {
      ...message.chat,
      kind,
      ...(chat?.title === undefined || kind === 'dm' ? {} : { title: safeName(chat.title) }),
    },
    ...(kind === 'dm' && message.kind !== 'recall' ? { addressed: 'dm' as const } : {}),
  };
}

/** Events about a message belong where that message is; the bot's menu belongs to the direct chat. */
async function inItsPlace(
  { message, lookup }: Reading,
  sources: Sources,
  signal: AbortSignal,
): Promise<InboundMessage | null> {
  const { places, api } = sources;
  if (lookup.about !== undefined) {
    const known = places.of(lookup.about);
    const item = known === undefined ? await soon(itemOf(api, lookup.about, signal), signal) : undefined;
    const chat = known?.chat ?? item?.chat_id ?? message.chat.id;
    if (chat === '') return null;
    const topic = known?.topic ?? item?.thread_id;
    const sender = message.kind === 'recall' ? (known?.sender ?? senderOf(item)) : undefined;
    return {
      ...message,
      chat: { id: chat, kind: known?.kind ?? message.chat.kind },
      ...(topic === undefined ? {} : { topic }),
      ...(sender === undefined ? {} : { sender }),
      ...(message.quote === undefined ? {} : { quote: { ...message.quote, fromBot: known?.fromBot ?? false } }),
    };
  }
  if (message.chat.id !== message.sender.id) return message;
  const direct = await places.directChatOf(message.sender.id);
  return direct === undefined ? message : { ...message, chat: { ...message.chat, id: direct } };
}

/** What is quoted and forwarded, and whether that or the topic makes the message one to the bot. */
async function withContext(
  message: InboundMessage,
  lookup: Lookup,
  sources: Sources,
  signal: AbortSignal,
): Promise<InboundMessage> {
  const { places } = sources;
  const isKnownTopic = message.topic !== undefined && (await places.takesPart(message.topic));
  // In a topic of its own, the root was told when the bot came in; it is not told again with every message.
  const parent = lookup.isThreadRoot === true && isKnownTopic ? undefined : lookup.parent;
  const [quote, inside] = await Promise.all([
    parent === undefined ? undefined : soon(quoteOf(parent, sources, signal), signal),
    lookup.inside === undefined ? undefined : soon(contentFetched(message.id, sources, signal), signal),
  ]);
  const fromBot = quote?.fromBot ?? (lookup.parent !== undefined && places.of(lookup.parent)?.fromBot === true);
  const addressed =
    message.addressed !== 'none' ? message.addressed : fromBot ? 'reply' : isKnownTopic ? 'topic-participant' : 'none';
  const { text, files } = inside ?? message;
  return { ...message, addressed, text, files, ...(quote === undefined ? {} : { quote }) };
}

async function quoteOf(id: string, sources: Sources, signal: AbortSignal): Promise<Quote | undefined> {
  const { api, bot, names, places } = sources;
  const items = await fetchMessage(api, id, signal);
  const item = items.find((candidate) => candidate.message_id === id);
  if (item === undefined || item.deleted) return undefined;
  const fromBot = item.sender.id === bot.appId || places.of(id)?.fromBot === true;
  const author = personName(fromBot ? bot.name : await nameOf(item, names, bot));
  return {
    messageId: id,
    ...(author === '' ? {} : { author }),
    fromBot,
    ...(await contentIn(items, item, sources)),
  };
}

async function contentFetched(id: string, sources: Sources, signal: AbortSignal): Promise<Said | undefined> {
  const items = await fetchMessage(sources.api, id, signal);
  const item = items.find((candidate) => candidate.message_id === id);
  return item === undefined ? undefined : contentIn(items, item, sources);
}

type Said = Pick<Content, 'text' | 'files'>;

async function contentIn(items: readonly Item[], item: Item, sources: Sources): Promise<Said> {
  const { bot, names } = sources;
  const content = contentOfItem(item, item.message_id, bot);
  if (content.inside === 'forward') return transcriptOf(items, item.message_id, names, bot);
  const text = await withName(content.text, content.unnamed, names);
  return {
    text: text.length <= QUOTE_MAX ? text : `${text.slice(0, QUOTE_MAX).toWellFormed()}…`,
    files: content.files,
  };
}

/** Puts a name where an id stands, if it is told. */
async function withName(text: string, unnamed: Content['unnamed'], names: Names): Promise<string> {
  if (unnamed === undefined) return text;
  const { kind, id } = unnamed;
  const name = kind === 'person' ? await names.of(id) : (await names.chat(id))?.title;
  return name === undefined ? text : text.replace(id, () => safeName(name));
}

async function itemOf(api: OpenApi, id: string, signal: AbortSignal): Promise<Item | undefined> {
  return (await fetchMessage(api, id, signal))[0];
}

const senderOf = (item: Item | undefined): InboundMessage['sender'] | undefined =>
  item === undefined || item.sender.id === ''
    ? undefined
    : { id: item.sender.id, name: '', isBot: item.sender.sender_type !== 'user' };
