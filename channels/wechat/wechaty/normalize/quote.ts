import type { Quote } from '../../../../src/channel/message.ts';
import { safeName } from '../../../../src/format/safe-name.ts';

const OPEN = '「';
const CLOSE = '」';
/** The line that WeChat's apps put below a quote: dashes and blanks. */
const RULE = /^\n(?:- ?){3,}-?[ \t]*\n/;
const AUTHOR = /^([^：:\n]{1,80})[：:]\s?/;

/**
 * WeChat's protocols have no quotes: the apps write them into the text, above a line of dashes. Anybody can type the
 * same, so a quote says what somebody claims that somebody said.
 */
export function splitQuote(
  text: string,
  ownNames: readonly string[],
): { readonly text: string; readonly quote?: Quote } {
  if (!text.startsWith(OPEN)) return { text };
  const end = quoteEnd(text);
  if (end === undefined) return { text };
  const quoted = text.slice(OPEN.length, end.at);
  const [introduction, author] = AUTHOR.exec(quoted) ?? [''];
  const name = author === undefined ? undefined : safeName(author);
  return {
    text: text.slice(end.next),
    quote: {
      ...(name === undefined ? {} : { author: name }),
      fromBot: author !== undefined && ownNames.includes(author),
      text: quoted.slice(introduction.length),
      files: [],
    },
  };
}

/** Where the quote ends: a quote that holds quotes has their brackets in pairs; one cut short may not. */
function quoteEnd(text: string): { readonly at: number; readonly next: number } | undefined {
  let depth = 0;
  let unpaired: { at: number; next: number } | undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === OPEN) depth += 1;
    if (text[at] !== CLOSE) continue;
    depth -= 1;
    const rule = RULE.exec(text.slice(at + 1, at + 200))?.[0];
    if (rule === undefined) continue;
    const end = { at, next: at + 1 + rule.length };
    if (depth <= 0) return end;
    unpaired = end;
  }
  return unpaired;
}
