import { z } from 'zod';
import type { DeadLetter } from '../bus/port.ts';
import type { LetterView, Said } from './operator.ts';

const MOST_SAID = 3;
const TEXT_CHARS = 200;
const ERROR_CHARS = 500;

/** What is looked at; whatever else a content holds stays where it is. */
const turnInput = z.object({
  at: z.number(),
  payload: z.object({
    message: z.object({
      channel: z.string(),
      chat: z.object({ id: z.string() }),
      sender: z.object({ name: z.string() }),
      sentAt: z.number(),
      text: z.string(),
    }),
  }),
});
const delivery = z.object({ at: z.number(), document: z.object({ markdown: z.string() }) });

/**
 * A dead letter as it may be shown: in single lines, cut, and without control characters, which could steer a
 * terminal. `scrub` takes secrets out. A content that cannot be read (an older version's) shows nothing of itself.
 */
export function letterView(letter: DeadLetter, scrub: (text: string) => string): LetterView {
  const { id, kind, at, thread } = letter;
  const line = (text: string, most: number): string => cut(oneLine(scrub(text)), most);
  const contents = kind === 'turn' && Array.isArray(letter.content) ? letter.content : [letter.content];
  const shown = contents.slice(0, MOST_SAID).flatMap((content) => saidIn(content, line) ?? []);
  return {
    id,
    kind,
    at,
    error: line(letter.error, ERROR_CHARS),
    ...whereOf(letter, contents[0]),
    ...(thread === undefined ? {} : { thread }),
    said: shown,
    more: contents.length - shown.length,
  };
}

function saidIn(content: unknown, line: (text: string, most: number) => string): Said | null {
  const input = turnInput.safeParse(content);
  if (input.success) {
    const { sender, sentAt, text } = input.data.payload.message;
    return { who: line(sender.name || '?', TEXT_CHARS), at: sentAt, text: line(text, TEXT_CHARS) };
  }
  const sent = delivery.safeParse(content);
  return sent.success ? { who: null, at: sent.data.at, text: line(sent.data.document.markdown, TEXT_CHARS) } : null;
}

/** A turn's own message says it best: the bus knows a turn's chat as `<channel>/<chat>`. */
function whereOf(letter: DeadLetter, content: unknown): { readonly channel?: string; readonly chat?: string } {
  const input = turnInput.safeParse(content);
  if (input.success) {
    const { channel, chat } = input.data.payload.message;
    return { channel, chat: chat.id };
  }
  const { channel, chat } = letter;
  return { ...(channel === undefined ? {} : { channel }), ...(chat === undefined ? {} : { chat }) };
}

/** Line breaks become spaces; control and direction-override characters go. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}

/** At most `most` characters, an ellipsis in the place of the rest; never half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, 2 * (most + 1))); // a character is at most two units
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
