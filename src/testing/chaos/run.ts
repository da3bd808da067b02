import { join } from 'node:path';
import { thisMachine } from '../bench/machine.ts';
import { rewrite, withPart } from '../bench/page.ts';
import { root } from '../bench/spawned.ts';
import { discardLogs } from './fleet.ts';
import { full, type Plan, short } from './plan.ts';
import { checks, details, report, toMarkdown } from './report.ts';
import { storm } from './storm.ts';

/**
 * `npm run test:chaos`: a whole installation as real processes answers a thousand chats while its processes and its
 * Redis are killed, and its part of `docs/performance.md` is written. `--short` is the version that `npm test` runs;
 * `--chats=100` and the like change the plan; both only print.
 */
function planOf(args: readonly string[]): Plan {
  const base = args.includes('--short') ? short : full;
  const changes = args
    .filter((arg) => arg !== '--short')
    .map((arg) => {
      const [, name = '', value = ''] = /^--(\w+)=([\d.]+)$/.exec(arg) ?? [];
      // A slip of the pen must not start twelve minutes of storm.
      if (!Object.hasOwn(base, name)) {
        console.error(`Usage: npm run test:chaos -- [--short] [--${Object.keys(base).join('=N] [--')}=N]`);
        process.exit(2);
      }
      return [name, Number(value)];
    });
  return { ...base, ...Object.fromEntries(changes) };
}

const args = process.argv.slice(2);
const plan = planOf(args);
const [machine, at] = [thisMachine(), new Date()];
let said = 0;
const outcome = await storm(plan, ({ asked, settled, kills }) => {
  if (++said % 10 === 0) process.stderr.write(`said ${asked}, settled ${settled}, killed ${kills}\n`);
});
console.log(report(plan, outcome));
console.log();
const results = checks(outcome, plan);
for (const [name, held] of results) console.log(`${held ? 'ok' : 'NOT OK'}  ${name}`);
const failed = results.filter(([, held]) => !held).length;
if (failed === 0) discardLogs(outcome.logs);
else {
  console.log(details(outcome));
  console.log(`What the processes printed is in ${outcome.logs}`);
}
if (args.length === 0) {
  rewrite(join(root, 'docs/performance.md'), (page) => withPart(page, 'chaos', toMarkdown(plan, outcome, machine, at)));
}
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
