import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

/** A copy of the launcher beside a small main, with this Node as the package that comes along. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'antler-bin-')));
after(() => rmSync(root, { recursive: true, force: true }));
const launcher = join(root, 'src/cli/antler.mjs');
const packageFolder = join(root, 'node_modules', `node-${process.platform}-${process.arch}`);

mkdirSync(join(root, 'src/cli'), { recursive: true });
mkdirSync(join(packageFolder, 'bin'), { recursive: true });
writeFileSync(join(packageFolder, 'package.json'), '{}');
symlinkSync(process.execPath, join(packageFolder, 'bin/node'));
cpSync(join(import.meta.dirname, 'antler.mjs'), launcher);
writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
writeFileSync(
  join(root, 'src/main.ts'),
  `const argv: string[] = process.argv.slice(2);
  process.on('SIGTERM', () => process.exit(7));
  console.log(JSON.stringify({ argv, major: Number(process.versions.node.split('.')[0]) }));
  if (argv[0] === 'wait') setInterval(() => {}, 1000);
  else process.exitCode = 3;`,
);

/** Makes the Node that runs the launcher say that it is an older one; its child is not touched. */
const older = [
  '--import',
  'data:text/javascript,if(process.argv[1])Object.defineProperty(process.versions,"node",{value:"20.0.0"})',
];

test('a new enough Node runs main.ts itself', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, 'a', '--b'], { encoding: 'utf8' });
  assert.deepEqual([JSON.parse(stdout), stderr, status], [{ argv: ['a', '--b'], major: 24 }, '', 3]);
});

test('an older Node hands over to the one that came along, with arguments and exit code', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...older, launcher, 'a', '--b'], {
    encoding: 'utf8',
  });
  assert.deepEqual([JSON.parse(stdout), stderr, status], [{ argv: ['a', '--b'], major: 24 }, '', 3]);
});

test('a signal reaches main.ts through an older Node', async () => {
  const child = spawn(process.execPath, [...older, launcher, 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.equal(await exit, 7);
});

test('an older Node alone is told in a sentence', () => {
  rmSync(packageFolder, { recursive: true });
  const { stderr, status } = spawnSync(process.execPath, [...older, launcher], { encoding: 'utf8' });
  assert.equal(
    stderr,
    `Antler needs Node 24 or newer, and this is 20.0.0. Run "npm ci" in ${root}, or install Node 24.\n`,
  );
  assert.equal(status, 1);
});
