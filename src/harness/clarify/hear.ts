import type { UserEntry } from '../log.ts';
import { cutEnd } from '../transcript/text.ts';
import { optionIn } from './match.ts';
import { closed, noted, type Question, type Questions } from './questions.ts';

/** After a day nobody remembers what was asked. */
const LAPSES_AFTER_MS = 24 * 3_600_000;
const MAX_SHOWN_CHARS = 200;

/**
 * Finds out what messages mean as answers: a number or a pressed button is the option that it stands for. A question
 * lapses after a day, and when whom it was put to says something else; what others say leaves it open.
 */
export function hear(questions: Questions, entries: readonly UserEntry[]): Questions {
  return entries.reduce((current, entry) => hearOne(current, entry), questions);
}

function hearOne(questions: Questions, entry: UserEntry): Questions {
  const { open } = questions;
  if (entry.pressed !== undefined) return hearPress(questions, entry, entry.pressed);
  if (open === null || entry.speaker.id !== open.whom) return questions;
  const option = optionIn(entry.text, open.options);
  if (option === null) return closed(questions);
  return noted(closed(questions), entry.id, hasLapsed(open, entry) ? lapsed(open) : answer(open, option));
}

function hearPress(questions: Questions, entry: UserEntry, id: string): Questions {
  const { open, past } = questions;
  if (open?.id !== id) {
    const known = past.find((question) => question.id === id);
    const which = known === undefined ? '' : ` ${shown(known.text)}`;
    const note = `A button of an earlier question${which} was pressed. It is not open any more: take this for no answer to anything you asked later.`;
    return noted(questions, entry.id, note);
  }
  if (entry.speaker.id !== open.whom)
    return noted(
      questions,
      entry.id,
      `Your question ${shown(open.text)} was put to somebody else, who has not answered.`,
    );
  const option = optionIn(entry.text, open.options);
  const note = hasLapsed(open, entry) || option === null ? lapsed(open) : answer(open, option);
  return noted(closed(questions), entry.id, note);
}

export const hasLapsed = (open: Question, entry: UserEntry): boolean => entry.at - open.at > LAPSES_AFTER_MS;

const answer = (open: Question, option: number): string =>
  `The answer to your question ${shown(open.text)} is: ${option + 1}. ${open.options[option]}`;

const lapsed = (open: Question): string =>
  `Your question ${shown(open.text)} was asked more than a day ago and has lapsed: make sure that this is still meant.`;

/** The question without its options, on one line. */
function shown(text: string): string {
  const line = (text.split('\n\n')[0] ?? '').replace(/\s+/g, ' ');
  return `“${cutEnd(line, MAX_SHOWN_CHARS)}”`;
}
