import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { burst } from './burst.ts';
import { thisMachine } from './machine.ts';
import { measureOneByOne, memoryBy } from './one-by-one.ts';
import { rewrite, withMainText } from './page.ts';
import { summary, toMarkdown } from './report.ts';
import type { Results, SubjectResults } from './results.ts';
import { root } from './spawned.ts';
import { IDLE_AFTER_MS, measureStartUp } from './start-up.ts';
import { type SubjectName, startEmbedded, startOnServers, startReference } from './subject.ts';

/**
 * `npm run bench`: runs Antler as real processes against a simulated Telegram and a simulated model in this process,
 * beside a bare bot, and writes what it measured to `docs/performance.md`. `--quick` takes fewer samples and only
 * prints.
 */
const full = { starts: 5, messages: 200, warmUp: 20 };
const short = { starts: 3, messages: 50, warmUp: 10 };
const burstOf = { messages: 200, chats: 50 };

async function measure(quick: boolean): Promise<Results> {
  const { starts, messages, warmUp } = quick ? short : full;
  const [at, machine] = [new Date(), thisMachine()];
  say('start-up …');
  const startUp = await measureStartUp(starts);
  await fillCompileCache();
  await using owner = new AsyncDisposableStack();
  const subjects = [await startEmbedded(owner), await startOnServers(owner), await startReference(owner)];
  await sleep(IDLE_AFTER_MS);
  const idle = new Map(subjects.map((subject) => [subject, memoryBy(subject)]));
  say('single messages …');
  const single = await measureOneByOne(subjects, messages, warmUp);
  const results = new Map<SubjectName, SubjectResults>();
  for (const [subject, oneByOne] of single) {
    say(`a burst, ${subject.name} …`);
    results.set(subject.name, {
      ...oneByOne,
      idle: idle.get(subject) ?? new Map(),
      burst: await burst(subject.stage, burstOf.messages, burstOf.chats, warmUp + messages),
    });
  }
  return { at, quick, machine, startUp, subjects: results };
}

/** A process that compiles its code takes some 30 MB more than those that find it compiled, as all but the first do. */
async function fillCompileCache(): Promise<void> {
  await using owner = new AsyncDisposableStack();
  await startEmbedded(owner);
  await startOnServers(owner);
}

const say = (what: string): void => void process.stderr.write(`${what}\n`);

const quick = process.argv.includes('--quick');
const results = await measure(quick);
console.log(summary(results));
if (!quick) {
  const page = join(root, 'docs/performance.md');
  rewrite(page, (before) => withMainText(before, toMarkdown(results)));
  console.log(`Written to ${page}`);
}
