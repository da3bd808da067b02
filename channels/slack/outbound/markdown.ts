import { WORD_JOINER, withLiveLinks, writeMentions } from '../../../src/format/index.ts';
import { mentionOf } from './mention.ts';

/** A letter or sign as itself, in either case, or as one of Markdown's numeric references to it. */
function spelt(sign: string): string {
  const forms = [...new Set([sign.toLowerCase(), sign.toUpperCase()])];
  const codes = forms.map((form) => form.codePointAt(0) ?? 0);
  const hex = codes.map((code) => code.toString(16)).flatMap((code) => [code, code.toUpperCase()]);
  return `(?:[${forms.join('')}]|&#(?:0*(?:${codes.join('|')})|[xX]0*(?:${[...new Set(hex)].join('|')}));)`;
}

const word = (letters: string): string => [...letters].map(spelt).join('');

/** Marks that Markdown takes away again. */
const NOISE = '[\\\\*_~`]*';
const LESS = `(?:&lt;|&LT;|${spelt('<')})`;
const BANG = `(?:&excl;|${spelt('!')})`;
const AT = `(?:&commat;|[＠﹫]|${spelt('@')})`;
const EVERYBODY = `(?:${['here', 'channel', 'everyone', 'all', 'group'].map(word).join('|')})`;
/** Part of an address: `ann@here.com`, `https://h/@channel/1`. */
const IN_ADDRESS = '(?<![\\w.+-]|\\bhttps?://[^\\s<>|()\\[\\]]{0,2000})';

/**
 * What Slack would take for a mention of somebody or of everybody, in Markdown as in its own form. Whether it looks for
 * names like `@here` in Markdown, and before or after it has read entities and escapes, is not said anywhere; so it
 * finds none.
 */
const PING = new RegExp(
  [
    `${LESS}(?=${NOISE}${AT}${NOISE}[UW][A-Z0-9])`,
    `${LESS}(?=${NOISE}${BANG}${NOISE}(?:${EVERYBODY}|${word('subteam')})(?!\\w))`,
    // What stands before it is looked at last, since that takes longest.
    `(?=${AT}${NOISE}${EVERYBODY}(?!\\w|\\.\\w))${IN_ADDRESS}${AT}`,
  ].join('|'),
  'g',
);

/**
 * Text or Markdown that calls nobody: an answer may repeat what a web page says, and must not ring at everybody's for
 * it. In a growing text, what is made harmless once stays as it is.
 */
export const harmless = (text: string): string => text.replace(PING, `$&${WORD_JOINER}`);

/**
 * An answer's Markdown as Slack takes it: it calls those whom it mentions on purpose, and nobody else, and its links lead
 * to the web, to mail or to people.
 */
export const slackMarkdown = (markdown: string): string => writeMentions(withLiveLinks(harmless(markdown)), mentionOf);
