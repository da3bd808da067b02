import { spawnSync } from 'node:child_process';

/** `npm run check`: everything that must hold before a commit that matters. Stops at the first thing that does not. */
const steps: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ['types', 'tsc', ['--noEmit']],
  ['lint and format', 'biome', ['ci', '.']],
  ['dead code', 'knip', []],
  ['arrows between rooms, and every test', process.execPath, ['src/testing/run.ts']],
];

for (const [name, command, args] of steps) {
  console.log(`\n— ${name}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${name}: not in order`);
    process.exit(status ?? 1);
  }
}
