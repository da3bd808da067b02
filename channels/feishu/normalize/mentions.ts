import { safeName } from '../../../src/format/safe-name.ts';
import type { BotIdentity } from '../api.ts';
import { idOf, type WireMention } from './wire.ts';

/** Everybody in the chat. It stands in texts without an entry in the list of mentions. */
const ALL = '@_all';

export interface MentionReading {
  /** Placeholders are `@name`; a leading mention of the bot is gone. */
  readonly text: string;
  readonly mentions: readonly { readonly id: string; readonly name: string }[];
  readonly mentionsBot: boolean;
  readonly mentionsAll: boolean;
}

export const mentionedId = ({ id }: WireMention): string => (typeof id === 'string' ? id : (idOf(id) ?? ''));

/**
 * Puts names in the place of `@_user_1` and the like. In one pass and longest key first, since `@_user_1` begins
 * `@_user_10`; what looks like a placeholder and is not in the list was typed by hand and stays.
 */
export function readMentions(text: string, listed: readonly WireMention[], bot: BotIdentity): MentionReading {
  const byKey = new Map(listed.filter(({ key }) => key !== '').map((mention) => [mention.key, mention]));
  const isBot = (mention: WireMention | undefined): boolean =>
    mention !== undefined && mentionedId(mention) === bot.openId;
  const keys = [...new Set([...byKey.keys(), ALL])].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(keys.map(escaped).join('|'), 'g');
  let mentionsAll = listed.some(({ key }) => key === ALL);
  let isLeading = true;
  let leads = false;
  let result = '';
  let from = 0;
  for (const { 0: key, index } of text.matchAll(pattern)) {
    const mention = byKey.get(key);
    const between = text.slice(from, index);
    isLeading &&= between.trim() === '';
    result += between;
    from = index + key.length;
    if (key === ALL) mentionsAll = true;
    if (isLeading && isBot(mention)) leads = true;
    else {
      isLeading = false;
      result += `@${key === ALL ? 'all' : safeName(mention?.name)}`;
    }
  }
  result += text.slice(from);
  const people = [...byKey.values()].filter((mention) => mention.key !== ALL && !isBot(mention));
  return {
    text: leads ? result.replace(/^[\s,:，：]+/u, '') : result,
    mentions: people.map((mention) => ({ id: mentionedId(mention), name: safeName(mention.name) })),
    mentionsBot: listed.some(isBot),
    mentionsAll,
  };
}

const escaped = (key: string): string => key.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
