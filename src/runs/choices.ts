import type { Button } from '../channel/port.ts';
import type { Choice } from '../harness/port.ts';

/** What the value of a button begins with that stands under a question. */
const MARK = 'choice';

/** A pressed button of a question. */
export interface Pressed {
  readonly question: string;
  readonly label: string;
}

/**
 * The buttons of a question. Each names the question as well: one that is pressed late must not pass for an answer to
 * what was asked since.
 */
export const buttonsOf = ({ question, options }: Choice): readonly Button[] =>
  options.map((label) => ({ label, value: `${MARK}:${question}:${label}` }));

/** Null for a button of anything else. */
export function pressedIn(value: string): Pressed | null {
  const [mark, question = '', ...label] = value.split(':');
  return mark === MARK && question !== '' && label.length > 0 ? { question, label: label.join(':') } : null;
}
