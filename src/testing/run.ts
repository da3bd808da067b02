import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { startDocker } from './docker.ts';
import { findChromium, findPostgres, findProgram, startPostgres, startRedis } from './services.ts';

/**
 * `npm test`: installs what the tests need where it may (Debian, as root), starts one Redis, one PostgreSQL and, where
 * that works, one Docker, runs every test file (or those named as arguments), stops the servers, and passes the
 * runner's verdict on.
 */
const needed = [
  { name: 'Redis', package: 'redis-server', found: () => findProgram('redis-server') !== undefined },
  { name: 'PostgreSQL', package: 'postgresql', found: () => findPostgres() !== undefined },
  { name: 'Chromium', package: 'chromium', found: () => findChromium() !== undefined },
];

/** Without Docker the tests of the sandbox's container are skipped, and say so. */
const wanted = [{ name: 'Docker', package: 'docker.io', found: () => findProgram('dockerd') !== undefined }];

function installMissing(): void {
  // One after the other: what cannot be installed must not keep back what is needed.
  for (const programs of [needed, wanted])
    install(programs.filter((program) => !program.found()).map((program) => program.package));
  const missing = needed.filter((program) => !program.found());
  if (missing.length === 0) return;
  const names = missing.map((program) => program.name).join(', ');
  const hint = `on Debian: apt-get install ${missing.map((program) => program.package).join(' ')}`;
  console.error(`The tests need ${names}; please install what is missing (${hint}) and run npm test again.`);
  process.exit(1);
}

function install(packages: readonly string[]): void {
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing ${packages.join(', ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { stdio: 'inherit', env });
}

async function main(): Promise<number> {
  installMissing();
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : globSync(['src/**/*.test.ts', 'channels/**/*.test.ts']).sort();
  const [redis, postgres, docker] = await Promise.all([startRedis(), startPostgres(), startDocker()]);
  try {
    const runner = spawn(process.execPath, ['--test', '--test-concurrency=3', '--test-timeout=120000', ...files], {
      stdio: 'inherit',
      env: {
        ...process.env,
        ANTLER_TEST_REDIS_URL: redis.url,
        ANTLER_TEST_DATABASE_URL: postgres.url,
        ANTLER_TEST_DOCKER: docker.kind === 'running' ? docker.url : docker.why,
      },
    });
    return await new Promise((resolve) => runner.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    await Promise.all([redis.stop(), postgres.stop(), docker.kind === 'running' ? docker.stop() : undefined]);
  }
}

process.exitCode = await main();
