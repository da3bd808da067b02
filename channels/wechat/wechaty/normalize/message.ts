import type { InboundMessage, Sender } from '../../../../src/channel/message.ts';
import { personName, safeName } from '../../../../src/format/safe-name.ts';
import { contentOf } from './content.ts';
import { millisOf, type NormalizeContext } from './context.ts';
import type { ReadFacts } from './facts.ts';
import { ownNames, readMentions } from './mentions.ts';
import { splitQuote } from './quote.ts';

/** wechaty's number of a message that was taken back. */
const RECALLED = 13;
/** wechaty's number of official accounts. */
const OFFICIAL = 2;
/** WeChat itself: its team, its lists of requests and articles, and what one sends to oneself. */
const SYSTEM_ACCOUNTS = new Set(
  'weixin newsapp fmessage filehelper floatbottle medianote tmessage qmessage qqmail notifymessage mphelper'.split(' '),
);

/** Null for the bot's own messages, whichever device they come from, and for notices that nobody said. */
export function convertMessage(facts: ReadFacts, context: NormalizeContext): InboundMessage | null {
  const { account, message, room } = facts;
  if (message.talkerId === account.id) return null;
  const inRoom = message.roomId;
  const base = {
    channel: context.channel,
    channelType: 'wechat' as const,
    tenant: '',
    chat:
      inRoom === undefined
        ? { id: message.talkerId, kind: 'dm' as const }
        : {
            ...{ id: inRoom, kind: 'group' as const },
            ...(room?.topic === undefined ? {} : { title: safeName(room.topic) }),
          },
    sender: senderOf(facts),
    sentAt: millisOf(message.timestamp, context.now),
  };
  if (message.type === RECALLED) {
    const original = recalledId(message.text);
    if (original === undefined) return null;
    return { ...base, id: original, kind: 'recall', text: '', addressed: 'none', mentions: [], files: [] };
  }
  const content = contentOf(facts);
  if (content === null) return null;
  const parts = content.spoken === true ? splitQuote(content.text, ownNames(facts)) : { text: content.text };
  const reading =
    inRoom === undefined
      ? { text: parts.text.replaceAll('\u2005', ' ').trim(), addressed: 'dm' as const }
      : readMentions(parts.text, facts);
  const answersBot = reading.addressed === 'none' && parts.quote?.fromBot === true;
  return {
    ...base,
    id: message.id,
    kind: 'message',
    text: reading.text,
    addressed: answersBot ? 'reply' : reading.addressed,
    mentions: mentionsOf(facts),
    ...(parts.quote === undefined ? {} : { quote: parts.quote }),
    files: content.files,
  };
}

/** In a room people are known by what they are called there. */
function senderOf({ message: { talkerId: id }, talker, room }: ReadFacts): Sender {
  const isBot = talker.type === OFFICIAL || SYSTEM_ACCOUNTS.has(id);
  return { id, name: personName(room?.talkerAlias, talker.name), isBot };
}

function mentionsOf({ account, room }: ReadFacts): InboundMessage['mentions'] {
  const others = (room?.mentioned ?? []).filter(({ id, name }) => id !== account.id && name !== '');
  return others.map(({ id, name }) => ({ id, name: personName(name) }));
}

/** The id of the message that was taken back: the text itself, or inside WeChat's XML. */
function recalledId(text: string): string | undefined {
  if (!text.includes('<')) return /^\S{1,128}$/.test(text.trim()) ? text.trim() : undefined;
  return /<newmsgid>\s*(\d{1,32})\s*<\/newmsgid>/.exec(text)?.[1] ?? /<msgid>\s*(\d{1,32})\s*<\/msgid>/.exec(text)?.[1];
}
