import { atMost, count, type Figure, milliseconds, told } from '../bus/figure.ts';
import { machineText } from '../machine.ts';
import type { Machine } from '../results.ts';
import { median, quantile } from '../statistics.ts';
import type { Size } from './fill.ts';
import type { Ground } from './grounds.ts';
import type { Kept } from './learning.ts';

/** Until it is known what to tell a model, in milliseconds, of 95 of 100 turns. */
const RECALL_BARS = { PostgreSQL: 10, SQLite: 25 } as const;
/** After a conversation was due, of 95 of 100. */
const LEARNING_BAR_MS = 5_000;

export function recallFigures({ name, bytes }: Ground, alone: readonly number[], busy: readonly number[]): Figure[] {
  const tail = (times: readonly number[]): string => `, median ${milliseconds(median(times))}`;
  return [
    atMost(
      `${name}: recalling for a turn, 95 of 100`,
      quantile(alone, 0.95),
      RECALL_BARS[name],
      milliseconds,
      tail(alone),
    ),
    told(`${name}: the same, 8 turns at once in one process`, `${milliseconds(quantile(busy, 0.95))}${tail(busy)}`),
    told(`${name}: size of the database`, `${(bytes / 1e9).toFixed(1)} GB`),
  ];
}

export const learningFigures = ({ name }: Ground, { lags, said, learnt, cpuMs }: Kept): Figure[] => [
  atMost(`${name}: messages of 50 people at once that were not learnt from, of ${said}`, said - learnt, 0, count),
  atMost(`${name}: learnt after it was due, 95 of 100`, quantile(lags, 0.95), LEARNING_BAR_MS, milliseconds),
  told(`${name}: processor time a message, with keeping the message itself`, milliseconds(cpuMs)),
];

/** The part of the page about the memory. */
export function toMarkdown(figures: readonly Figure[], { persons, facts }: Size, machine: Machine, at: Date): string {
  const rows = figures.map(
    ({ name, measured, bar, holds }) => `| ${name} | ${measured}${holds ? '' : ' **missed**'} | ${bar} |`,
  );
  return `## The memory

Measured by \`npm run bench:memory\` on ${at.toISOString().slice(0, 10)}, which writes this part. ${machineText(machine)}

| figure | measured | bar |
| --- | --- | --- |
${rows.join('\n')}

- ${persons.toLocaleString('en')} people with ${facts} facts each, and three summaries. They were told one after the other, so that
  the facts of one person lie far apart in their table; a turn reads the row in which they stand together. Each turn is of
  somebody picked at random; recalling is the query, the ranking of all of a person's facts by what was said, and the choice
  of what fits into 800 tokens.
- PostgreSQL has 1 GB of buffers; it runs on the same machine.
- 50 people speak ten times as fast as they would, each again 2 s after what they said before is due, and a model
  takes 0.4 s; one process learns. What counts is when the model has been asked.
- \`npm run bench:memory -- --persons 10000\` takes fewer people; with that, or with \`--quick\`, it only prints.`;
}
