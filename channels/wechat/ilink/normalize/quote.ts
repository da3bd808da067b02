import { createHash } from 'node:crypto';
import type { Quote } from '../../../../src/channel/message.ts';
import type { Item, PartialText } from '../wire.ts';
import { contentOf, readable } from './content.ts';
import type { QuotedPart } from './context.ts';

export interface QuoteReading {
  readonly quote: Quote;
  readonly part: QuotedPart;
}

/** Stands for a quoted message that WeChat only names and we do not know (any more). */
export const UNKNOWN_QUOTE = '[quote unavailable]';

/** What an item quotes. Newer apps send only the quoted message's id, so `quote.text` may be unknown yet. */
export function quoteOf({ ref_msg: reference }: Item): QuoteReading | undefined {
  if (reference === undefined) return undefined;
  const { message_item: quoted, title = '', svr_id, partial_text } = reference;
  const id = svr_id || quoted?.msg_id || undefined;
  const content = quoted === undefined ? null : contentOf(quoted, id ?? 'quoted');
  const part: QuotedPart = (whole) => (partial_text === undefined ? whole : cutOut(whole, partial_text));
  const text = content === null ? title : part(readable(content));
  if (id === undefined && text === '') return undefined;
  return {
    quote: {
      ...(id === undefined ? {} : { messageId: id }),
      fromBot: false,
      text: text === '' ? UNKNOWN_QUOTE : text,
      files: content?.files ?? [],
    },
    part,
  };
}

/**
 * The part that somebody marked: from the `startindex`-th occurrence of its beginning to the `endindex`-th of its end.
 * Apps count the latter from the beginning of the text or of the part, and the hash says which. The whole text when
 * neither fits.
 */
function cutOut(whole: string, { start, end, startindex, endindex, quotemd5 }: PartialText): string {
  const from = nth(whole, start, startindex, 0);
  if (from < 0) return whole;
  const ends = [nth(whole, end, endindex, 0), nth(whole, end, endindex, from + start.length)];
  const parts = ends.filter((at) => at >= from).map((at) => whole.slice(from, at + end.length));
  const hash = quotemd5?.toLowerCase() ?? '';
  return (hash === '' ? parts[0] : parts.find((part) => md5(part) === hash)) ?? whole;
}

/** Where `value` occurs for the `count`-th time (0 is the first) from `at` on; -1 when it does not so often. */
function nth(text: string, value: string, count: number, at: number): number {
  let found = text.indexOf(value, at);
  for (let left = count; left > 0 && found >= 0; left--) found = text.indexOf(value, found + value.length);
  return found;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
