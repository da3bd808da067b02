import { join } from 'node:path';
import { thisMachine } from '../machine.ts';
import { rewrite, withPart } from '../page.ts';
import { root } from '../spawned.ts';
import { measureEmbedded } from './embedded.ts';
import { measureFairness } from './fairness.ts';
import type { Figure } from './figure.ts';
import { measureHotPublish } from './hot-publish.ts';
import { measureMemory } from './memory.ts';
import { measureOutbound } from './outbound.ts';
import { summary, toMarkdown } from './report.ts';
import { measureSignals } from './signals.ts';
import { measureTakeover } from './takeover.ts';
import { measureThroughput } from './throughput.ts';

/**
 * `npm run bench:bus`: what the message bus can do, against plain BullMQ and against what it is held to, written to
 * its part of `docs/performance.md`. `--quick` takes fewer samples and only prints; names of measurements run only
 * those.
 */
const quick = process.argv.includes('--quick');
const [pairs, perThread] = quick ? [1, 4] : [6, 8];

const measurements: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  throughput: () => measureThroughput(pairs, perThread),
  'hot-publish': () => measureHotPublish(pairs, quick ? 2_000 : 6_000),
  embedded: () => measureEmbedded(pairs, perThread),
  memory: () => measureMemory(quick ? 200 : 1_000),
  fairness: () => measureFairness(quick ? 3 : 10),
  signals: () => measureSignals(quick ? 40 : 300),
  takeover: () => measureTakeover(quick ? 1 : 3),
  outbound: measureOutbound,
};

const named = process.argv.slice(2).filter((name) => name !== '--quick');
// A slip of the pen must not measure for minutes and write the page.
if (named.some((name) => !Object.hasOwn(measurements, name))) {
  console.error(`Usage: npm run bench:bus -- [--quick] [${Object.keys(measurements).join('] [')}]`);
  process.exit(2);
}
const [machine, at] = [thisMachine(), new Date()];
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  const measured = await measure();
  console.log(summary(measured));
  figures.push(...measured);
}
const missed = figures.filter(({ holds }) => !holds).length;
console.log(`${figures.length - missed} figures within their bars, ${missed} missed`);
if (!quick && named.length === 0) {
  const page = join(root, 'docs/performance.md');
  rewrite(page, (before) => withPart(before, 'bus', toMarkdown(figures, machine, at)));
  console.log(`Written to ${page}`);
}
process.exitCode = missed === 0 ? 0 : 1;
