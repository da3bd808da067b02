import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure } from '../bus/figure.ts';
import { summary } from '../bus/report.ts';
import { thisMachine } from '../machine.ts';
import { rewrite, withPart } from '../page.ts';
import { root } from '../spawned.ts';
import type { Size } from './fill.ts';
import { postgresGround, sqliteGround } from './grounds.ts';
import { measureLearning } from './learning.ts';
import { measureRecall } from './recall.ts';
import { learningFigures, recallFigures, toMarkdown } from './report.ts';

/**
 * `npm run bench:memory`: how fast it is known what to tell a model of somebody among very many, and whether learning
 * keeps up with many who speak at once; written to its part of `docs/performance.md`. `--persons N` takes fewer people
 * and only prints, `--quick` 1,000 and fewer samples.
 */
const { values } = parseArgs({ options: { persons: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const size: Size = { persons: Number(values.persons ?? (values.quick ? 1_000 : 100_000)), facts: 100 };
const [samples, rounds] = values.quick ? [500, 2] : [5_000, 8];

const [machine, at] = [thisMachine(), new Date()];
const figures: Figure[] = [];
for (const open of [postgresGround, sqliteGround]) {
  process.stderr.write(`filling a database with ${size.persons} people (${open.name}) …\n`);
  const ground = await open(size);
  try {
    await measureRecall(ground.store, size, 200, 1); // the first calls compile
    const alone = await measureRecall(ground.store, size, samples, 1);
    const busy = await measureRecall(ground.store, size, samples, 8);
    const measured = [
      ...recallFigures(ground, alone, busy),
      ...learningFigures(ground, await measureLearning(ground.store, rounds)),
    ];
    console.log(summary(measured));
    figures.push(...measured);
  } finally {
    await ground.close();
  }
}
if (!values.quick && values.persons === undefined) {
  const page = join(root, 'docs/performance.md');
  rewrite(page, (before) => withPart(before, 'memory', toMarkdown(figures, size, machine, at)));
  console.log(`Written to ${page}`);
}
process.exitCode = figures.every(({ holds }) => holds) ? 0 : 1;
