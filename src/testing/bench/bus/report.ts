import { machineText } from '../machine.ts';
import type { Machine } from '../results.ts';
import type { Figure } from './figure.ts';

/** The part of the page about the bus. */
export function toMarkdown(figures: readonly Figure[], machine: Machine, at: Date): string {
  const rows = figures.map(
    ({ name, measured, bar, holds }) => `| ${name} | ${measured}${holds ? '' : ' **missed**'} | ${bar} |`,
  );
  return `## The bus

Measured by \`npm run bench:bus\` on ${at.toISOString().slice(0, 10)}, which writes this part. ${machineText(machine)}

| figure | measured | bar |
| --- | --- | --- |
${rows.join('\n')}

- Whatever is compared runs side by side and is measured in turns, a few seconds each; the figure is the median of the
  pairs' ratios. On a machine that others use, times move by a factor of two, ratios by a tenth or two.
- Plain BullMQ is a job a message, added and processed as its documentation shows, with neither order nor
  acknowledgement in one step; the bus runs one turn a message here. Processor time is Redis's own count, and that of
  the publishing and of the two working processes.
- The platform of the outbound figures knows its limits exactly and runs twice as fast as a real one: one message in
  500 ms in a chat, 20 in 30 s in a group, 30 in 500 ms in all; two processes send.
- \`npm run bench:bus -- --quick\` takes fewer samples, only prints, and leaves this page alone.`;
}

/** The same for the terminal. */
export function summary(figures: readonly Figure[]): string {
  return figures
    .map(
      ({ name, measured, bar, holds }) => `${holds ? '  ' : '! '}${name}: ${measured}${bar === '' ? '' : ` (${bar})`}`,
    )
    .join('\n');
}
