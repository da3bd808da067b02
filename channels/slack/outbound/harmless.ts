/** What Slack would take for a mention of somebody or of everybody, in Markdown as in its own form. */
const PING = /<(?=@[UW][A-Z0-9]|!(?:here|channel|everyone|group|subteam)\b)/g;
/** Invisible, and enough that Slack sees no mention. */
const WORD_JOINER = '\u2060';

/**
 * Markdown that calls nobody: an answer may repeat what a web page says, and must not ring at everybody's for it. In a
 * growing text, what is made harmless once stays as it is.
 */
export const harmless = (markdown: string): string => markdown.replace(PING, `<${WORD_JOINER}`);
