import type { InboundMessage } from '../../../../src/channel/message.ts';
import { contentOf, readable } from './content.ts';
import type { Envelope, NormalizeContext } from './context.ts';
import { convertEvent } from './events.ts';
import { withoutMention } from './mention.ts';
import { type Body, bodyShape } from './wire.ts';

export type { NormalizeContext } from './context.ts';

/**
 * Reads one message or event of an AI bot. Null means that there is nothing in it for anybody. A message that cannot be
 * read but was said by somebody becomes a placeholder; this never throws.
 */
export function normalize(body: unknown, context: NormalizeContext): InboundMessage | null {
  const parsed = bodyShape.safeParse(body);
  if (!parsed.success) return null;
  const { event, msgtype } = parsed.data;
  const envelope = envelopeOf(parsed.data, context);
  if (msgtype === 'event') return event === undefined ? null : convertEvent(event, envelope);
  return convertMessage(parsed.data, envelope, context);
}

function convertMessage(body: Body, envelope: Envelope, { botName }: NormalizeContext): InboundMessage {
  const content = contentOf(body);
  const isGroup = envelope.chat.kind === 'group';
  const words = isGroup ? withoutMention(content.words, botName) : content.words;
  const text = readable({ ...content, words });
  return {
    ...envelope,
    kind: 'message',
    text,
    ...(body.quote === undefined ? {} : { quote: quoteOf(body.quote) }),
    files: content.files,
  };
}

/** Whose words they were is not told; what the bot itself has said is known elsewhere. */
function quoteOf(quote: NonNullable<Body['quote']>): NonNullable<InboundMessage['quote']> {
  const content = contentOf(quote);
  return { fromBot: false, text: readable(content), files: content.files };
}

function envelopeOf({ msgid, chatid, chattype, from, create_time: at }: Body, context: NormalizeContext): Envelope {
  const isGroup = chattype === 'group' && chatid !== undefined && chatid !== '';
  return {
    channel: context.channel,
    channelType: 'wecom',
    tenant: from.corpid ?? '',
    chat: isGroup ? { id: chatid, kind: 'group' } : { id: from.userid, kind: 'dm' },
    id: msgid,
    sender: { id: from.userid, name: '', isBot: false },
    sentAt: millisOf(at, context.now),
    addressed: isGroup ? 'mention' : 'dm',
    mentions: [],
  };
}

/** Seconds, as the documentation has it; milliseconds, if it ever comes to that. */
const millisOf = (time: number | undefined, otherwise: number): number =>
  time === undefined || time <= 0 ? otherwise : time > 1e11 ? Math.round(time) : time * 1_000;
