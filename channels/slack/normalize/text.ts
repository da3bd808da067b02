import { safeName } from '../../../src/format/safe-name.ts';
import type { BotIdentity } from '../api.ts';
import type { Names } from './context.ts';

/** What a text in Slack's form says. */
export interface TextReading {
  /** Mentions and channels by name, links with their targets, a leading mention of the bot gone. */
  readonly text: string;
  readonly mentions: readonly { readonly id: string; readonly name: string }[];
  readonly mentionsBot: boolean;
  /** `@here`, `@channel` or `@everyone` is in it. */
  readonly mentionsAll: boolean;
  /** It begins with the mention of somebody else. */
  readonly isForAnother: boolean;
}

/** `<…>`; nothing else in Slack's form is markup of this kind, since all other `<` are escaped. */
const TOKEN = /<([^<>\n]+)>/g;

/** https://docs.slack.dev/messaging/formatting-message-text#parsing-mentions */
export function readText(source: string, bot: BotIdentity, names: Names): TextReading {
  const mentions = new Map<string, string>();
  let mentionsBot = false;
  let mentionsAll = false;
  let isForAnother = false;
  let isLeading = true;
  let text = '';
  let from = 0;
  for (const match of source.matchAll(TOKEN)) {
    text += unescaped(source.slice(from, match.index));
    from = match.index + match[0].length;
    isLeading &&= text.trim() === '';
    const token = tokenOf(match[1] ?? '', names);
    const isBot = token.user === bot.userId;
    if (isBot) mentionsBot = true;
    if (token.user !== undefined && !isBot) mentions.set(token.user, token.name);
    if (isLeading && token.user !== undefined && !isBot && !mentionsBot) isForAnother = true;
    mentionsAll ||= token.isAll;
    if (!(isBot && isLeading)) text += token.shown;
  }
  text += unescaped(source.slice(from));
  return {
    text: mentionsBot && !isForAnother ? text.replace(/^[\s,:，：]+/u, '') : text,
    mentions: [...mentions].map(([id, name]) => ({ id, name })),
    mentionsBot,
    mentionsAll,
    isForAnother,
  };
}

interface Token {
  readonly shown: string;
  readonly user?: string;
  readonly name: string;
  readonly isAll: boolean;
}

const ALL = new Set(['here', 'channel', 'everyone', 'group']);

function tokenOf(token: string, names: Names): Token {
  const bar = token.indexOf('|');
  const target = unescaped(bar < 0 ? token : token.slice(0, bar));
  const label = bar < 0 ? '' : unescaped(token.slice(bar + 1));
  const shown = (text: string): Token => ({ shown: text, name: '', isAll: false });
  switch (target.charAt(0)) {
    case '@': {
      const user = target.slice(1);
      const name = safeName(names.user(user)?.name, label, user);
      return { shown: `@${name}`, user, name, isAll: false };
    }
    case '#':
      return shown(`#${safeName(label, names.channel(target.slice(1)), target.slice(1))}`);
    case '!': {
      const word = target.slice(1).split('^')[0] ?? '';
      if (ALL.has(word)) return { shown: `@${word}`, name: '', isAll: true };
      if (word === 'subteam') return shown(label === '' ? `@${groupName(target.split('^')[1], names)}` : label);
      return shown(label === '' ? word : label);
    }
    default:
      return shown(linkText(target, label));
  }
}

const groupName = (id: string | undefined, names: Names): string =>
  id === undefined ? 'group' : safeName(names.group(id), id);

function linkText(target: string, label: string): string {
  const address = target.replace(/^(?:mailto|tel):/, '');
  if (label === '' || label === target || label === address) return address;
  // Slack makes links of what looks like one; the label then is what was typed.
  return target === `http://${label}` || target === `https://${label}` ? label : `${label} (${target})`;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/** Once only: `&amp;lt;` was typed as `&lt;`. */
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt);/g, (found, name: string) => CHARACTERS[name] ?? found);
