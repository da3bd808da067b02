import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisMachine } from '../machine.ts';
import { rewrite, withPart } from '../page.ts';
import { root } from '../spawned.ts';
import { isWithinAim, summary, toMarkdown } from './report.ts';
import { SUBJECTS, type Subject, type SubjectName, startSubject } from './subject.ts';

/**
 * `npm run bench:harness`: the processor time that the harness itself takes for a step, beside langchain's agent on the
 * same script, written to its part of `docs/performance.md`. `--quick` takes fewer samples and only prints; `--antler`
 * measures Antler alone.
 */
const quick = process.argv.includes('--quick');
const alone = process.argv.includes('--antler');
const LOGS = [20, 200, 2_000];
const ROUNDS = quick ? 3 : 7;
const WARM_UP_ROUNDS = 2;
/** In a round. Antler's runs are short, and many of them are one measurement. */
const RUNS = { ours: 30, theirs: 1 };

const [machine, at] = [thisMachine(), new Date()];
const subjects = SUBJECTS.filter((name) => !alone || name === 'antler').map(startSubject);
const figures = new Map<SubjectName, ReadonlyMap<number, number[]>>(
  subjects.map(({ name }) => [name, new Map(LOGS.map((messages) => [messages, []]))]),
);

async function oneRound(subject: Subject, messages: number): Promise<number> {
  const runs = subject.name === 'antler' ? RUNS.ours : RUNS.theirs;
  return (await subject.measure({ messages, runs })).cpuMs;
}

try {
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    process.stderr.write(round < 0 ? 'warming up …\n' : `round ${round + 1} of ${ROUNDS} …\n`);
    for (const messages of LOGS)
      for (const subject of subjects) {
        const cpuMs = await oneRound(subject, messages);
        if (round >= 0) figures.get(subject.name)?.get(messages)?.push(cpuMs);
      }
  }
} finally {
  for (const subject of subjects) subject.stop();
}

console.log(summary(figures));
if (!quick && !alone) {
  const page = join(root, 'docs/performance.md');
  rewrite(page, (before) => withPart(before, 'harness', toMarkdown(figures, versions(), machine, at)));
  console.log(`Written to ${page}`);
}
process.exitCode = isWithinAim(figures) ? 0 : 1;

function versions(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/langchain/package.json'), 'utf8'));
  return `The other side is \`langchain\` ${version}`;
}
