import type { InboundFile } from './message.ts';

/** Of one message; what is told of is background. */
const MOST_CHARS = 1_000;

/**
 * What the model is told of a message that was not to it: its words, cut, and what its files are called, unless they are
 * marked in the words already.
 */
export function earlierText({
  text,
  files,
}: {
  readonly text: string;
  readonly files: readonly InboundFile[];
}): string {
  const words = text.trim();
  const shown = words.length <= MOST_CHARS ? words : `${words.slice(0, MOST_CHARS).toWellFormed()}…`;
  const unmarked = files.filter(({ kind }) => !words.includes(`[${kind}`));
  const named = unmarked.map(({ kind, name }) => `[${kind}: ${name.replace(/\s+/g, ' ')}]`);
  return [...(shown === '' ? [] : [shown]), ...named].join('\n');
}
