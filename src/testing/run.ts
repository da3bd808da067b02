import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { findChromium, findPostgres, findProgram, startPostgres, startRedis } from './services.ts';

/**
 * `npm test`: installs what the tests need where it may (Debian, as root), starts one Redis and one PostgreSQL on free
 * ports, runs every test file (or those named as arguments), stops the servers, and passes the runner's verdict on.
 */
const needed = [
  { name: 'Redis', package: 'redis-server', found: () => findProgram('redis-server') !== undefined },
  { name: 'PostgreSQL', package: 'postgresql', found: () => findPostgres() !== undefined },
  { name: 'Chromium', package: 'chromium', found: () => findChromium() !== undefined },
];

function installMissing(): void {
  const missing = needed.filter((program) => !program.found());
  if (missing.length === 0) return;
  const packages = missing.map((program) => program.package);
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    console.log(`Installing ${packages.join(', ')} for the tests …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { stdio: 'inherit', env });
  }
  const still = missing.filter((program) => !program.found());
  if (still.length === 0) return;
  const names = still.map((program) => program.name).join(', ');
  const hint = `on Debian: apt-get install ${still.map((program) => program.package).join(' ')}`;
  console.error(`The tests need ${names}; please install what is missing (${hint}) and run npm test again.`);
  process.exit(1);
}

async function main(): Promise<number> {
  installMissing();
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : globSync(['src/**/*.test.ts', 'channels/**/*.test.ts']).sort();
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  try {
    const runner = spawn(process.execPath, ['--test', '--test-concurrency=3', '--test-timeout=120000', ...files], {
      stdio: 'inherit',
      env: { ...process.env, ANTLER_TEST_REDIS_URL: redis.url, ANTLER_TEST_DATABASE_URL: postgres.url },
    });
    return await new Promise((resolve) => runner.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    await Promise.all([redis.stop(), postgres.stop()]);
  }
}

process.exitCode = await main();
