import { writeMentions } from '../../../src/format/index.ts';
import { mentionOf } from './mention.ts';

/**
 * What Slack would take for a mention of somebody or of everybody, in Markdown as in its own form. Whether it looks for
 * names like `@here` in Markdown is not said anywhere; so it finds none.
 */
const PING =
  /<(?=@[UW][A-Z0-9]|!(?:here|channel|everyone|group|subteam)\b)|(?<![\w.+-])@(?=(?:here|channel|everyone)\b(?!\.\w))/g;
/** Invisible, and enough that Slack sees no mention. */
const WORD_JOINER = '\u2060';

/**
 * Markdown that calls nobody: an answer may repeat what a web page says, and must not ring at everybody's for it. In a
 * growing text, what is made harmless once stays as it is.
 */
export const harmless = (markdown: string): string => markdown.replace(PING, `$&${WORD_JOINER}`);

/** An answer's Markdown as Slack takes it: it calls those whom it mentions on purpose, and nobody else. */
export const slackMarkdown = (markdown: string): string => writeMentions(harmless(markdown), mentionOf);
