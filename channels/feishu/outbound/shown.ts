import { BLANK, isBlank } from '../../../src/format/index.ts';

/** Stands for a text of which nothing can be seen, since no message and no button may be empty. */
export const shown = (text: string): string => (isBlank(text) ? BLANK : text.toWellFormed());
