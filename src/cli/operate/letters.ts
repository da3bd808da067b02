import type { LetterList, LetterView, Said, Swept } from '../../admin/operator.ts';
import { counted, type Report } from './report.ts';

const headlines = {
  turn: 'not answered',
  delivery: 'not sent',
  uncertain: 'uncertain: sent or not, nobody knows',
} as const satisfies Record<LetterView['kind'], string>;

/** `antler dead-letters list`. */
export function letterReport(list: LetterList): Report {
  const { letters, total } = list;
  if (letters.length === 0) return { lines: ['There are no dead letters.'], json: list };
  const rest = total > letters.length ? `, the newest ${letters.length} are shown (--limit shows more)` : '';
  return {
    lines: [
      ...letters.flatMap((letter) => [...letterLines(letter), '']),
      `${counted(total, 'dead letter')}${rest}.`,
      'antler dead-letters replay ID tries one once more, antler dead-letters drop ID throws it away;',
      '"all" in the place of ID means every one.',
    ],
    json: list,
  };
}

function letterLines(letter: LetterView): string[] {
  const { id, kind, at, error, channel, chat, thread, said, more } = letter;
  const where = [channel, chat === undefined ? undefined : `chat ${chat}`].filter((word) => word !== undefined);
  return [
    id,
    `  ${timeOf(at)}  ${headlines[kind]}  ${where.join(', ')}`.trimEnd(),
    `  error   ${error}`,
    ...(thread === undefined ? [] : [`  thread  ${thread}`]),
    ...said.map(saidLine),
    ...(more === 0 ? [] : [`  … and ${more} more`]),
  ];
}

const saidLine = ({ who, at, text }: Said): string => `  ${timeOf(at)}  ${who ?? '(the bot)'}: ${text}`;

/** In this machine's time zone, as a person reads it; a time that is none must not hide the rest. */
function timeOf(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '?' : time.toLocaleString('sv-SE');
}

/** `antler dead-letters replay ID`. */
export const replayedReport = (id: string): Report => ({
  lines: [`${id} was put back and is tried once more.`],
  json: { done: 1, left: 0 },
});

/** `antler dead-letters drop ID`. */
export const droppedReport = (id: string): Report => ({
  lines: [`${id} was thrown away.`],
  json: { done: 1, left: 0 },
});

/** `antler dead-letters replay all`, `… drop all`; `what` happened to them, e.g. `put back`. */
export function sweptReport(swept: Swept, what: string): Report {
  const { done, left } = swept;
  const rest = left === 0 ? '' : ` ${left} more are left; do it again for them.`;
  return { lines: [`${counted(done, 'dead letter')} ${done === 1 ? 'was' : 'were'} ${what}.${rest}`], json: swept };
}
