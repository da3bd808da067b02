#!/usr/bin/env node
// Starts Antler, whatever Node runs this file: TypeScript is run directly, and for that Node 24 is needed, which comes
// along as a package. This file itself must stay readable for much older versions.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const neededNode = 24;
/**
 * Less room for short-lived objects (4 MB instead of what the machine's memory suggests): 40 to 60 MB less resident
 * memory a process, for a few per cent more processor time. npm's scripts give it, too; it must be there at the start.
 */
const heapOptions = ['--max-semi-space-size=4'];
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const main = join(root, 'src', 'main.ts');

if (Number(process.versions.node.split('.')[0]) >= neededNode) {
  const cache = join(root, 'node_modules', '.cache', 'antler');
  nodeModule.enableCompileCache(cache);
  // Threads do not inherit it; each of them would compile anew, and load the type stripper for it.
  process.env.NODE_COMPILE_CACHE ??= cache;
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
} else {
  runUnder(bundledNode());
}

/** The Node that `npm ci` brings along for this platform, or null. */
function bundledNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

/** @param {string | null} program */
function runUnder(program) {
  if (program === null) {
    console.error(
      `Antler needs Node ${neededNode} or newer, and this is ${process.versions.node}. Run "npm ci" in ${root}, or install Node ${neededNode}.`,
    );
    process.exit(1);
  }
  const child = spawn(program, [...heapOptions, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to both; whoever else stops us means the child.
  process.on('SIGINT', () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Antler cannot start ${program}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Ends as the child did, so that a shell sees the same.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
