import type { InboundMessage } from '../../../../src/channel/message.ts';
import { type Element, textAt } from '../xml.ts';
import { contentOf } from './content.ts';
import type { Envelope, NormalizeContext } from './context.ts';
import { convertEvent } from './events.ts';

/** Reads one message or event of an app. Null means that there is nothing in it for anybody; this never throws. */
export function normalize(message: Element, context: NormalizeContext): InboundMessage | null {
  const user = textAt(message, 'FromUserName') ?? '';
  const type = textAt(message, 'MsgType') ?? '';
  if (user === '' || type === '') return null;
  const envelope = envelopeOf(message, user, context);
  if (type === 'event') return convertEvent(message, envelope);
  return { ...envelope, kind: 'message', ...contentOf(type, message) };
}

function envelopeOf(message: Element, user: string, { channel, corpId, now }: NormalizeContext): Envelope {
  const seconds = Number(textAt(message, 'CreateTime') ?? '');
  return {
    channel,
    channelType: 'wecom',
    tenant: corpId,
    chat: { id: user, kind: 'dm' },
    id: textAt(message, 'MsgId') || eventId(message),
    sender: { id: user, name: '', isBot: false },
    sentAt: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : now,
    addressed: 'dm',
    mentions: [],
  };
}

/** Events have no id; WeCom says to tell them apart by who and when, and what they are about keeps two of one second apart. */
const eventId = (message: Element): string =>
  ['CreateTime', 'MsgType', 'Event', 'EventKey', 'TaskId', 'ResponseCode']
    .map((name) => encodeURIComponent((textAt(message, name) ?? '').slice(0, 200).toWellFormed()))
    .join('/');
