import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Real servers for tests, on free loopback ports, in throw-away folders. `npm test` starts one of each and names them
 * in the environment; a test file that is run alone starts its own.
 */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function reachable(port: number, child: ChildProcess, name: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${name} ended at once with code ${child.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await delay(30);
  }
  throw new Error(`${name} did not open port ${port}`);
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exit;
  clearTimeout(hard);
}

/** Where a program is, or undefined. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const places = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/sbin', '/usr/local/bin', ...folders];
  return places.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * For a Redis that a test kills: each write is on the disk before it is answered. `everysec` is not enough for that,
 * since Redis holds writes back for up to 2 s while the last sync is slow (redis.conf, appendfsync).
 */
export const killable = ['--appendfsync', 'always'];

/** A Redis as Antler wants it: append-only file, no eviction. `port` lets a test restart it in place with `dir`. */
export async function startRedis(
  options: { port?: number; dir?: string; args?: string[] } = {},
): Promise<Service & { readonly child: ChildProcess; readonly dir: string }> {
  const program = findProgram('redis-server');
  if (program === undefined)
    throw new Error('Install Redis 7 or newer (Debian: apt-get install redis-server) to run these tests.');
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'antler-redis-'));
  const port = options.port ?? (await freePort());
  const child = spawn(
    program,
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      dir,
      '--save',
      '',
      '--appendonly',
      'yes',
      '--appendfsync',
      'everysec',
      '--maxmemory-policy',
      'noeviction',
      ...(options.args ?? []),
    ],
    { stdio: 'ignore' },
  );
  await reachable(port, child, 'redis-server');
  return {
    url: `redis://127.0.0.1:${port}`,
    child,
    dir,
    stop: async () => {
      await stopped(child, 'SIGTERM');
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The folder of PostgreSQL's programs, newest version first; Debian keeps them off the path. */
export function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** A PostgreSQL that trusts loopback. Started as user `postgres` when we are root, which the server itself refuses. */
export async function startPostgres(
  options: { args?: string[] } = {},
): Promise<Service & { readonly child: ChildProcess }> {
  const bin = findPostgres();
  if (bin === undefined)
    throw new Error('Install PostgreSQL 13 or newer (Debian: apt-get install postgresql) to run these tests.');
  const dir = mkdtempSync(join(tmpdir(), 'antler-pg-'));
  const identity = process.getuid?.() === 0 ? accountOf('postgres') : {};
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(dir, identity.uid, identity.gid);
  const data = join(dir, 'data');
  const init = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'antler', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
    { ...identity, cwd: dir, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${init.stderr}`);
  const port = await freePort();
  const child = spawn(
    join(bin, 'postgres'),
    [
      ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', dir],
      ...['-c', 'fsync=off', '-c', 'max_connections=200'],
      ...(options.args ?? []),
    ],
    { ...identity, cwd: dir, stdio: 'ignore' },
  );
  await reachable(port, child, 'postgres');
  const url = `postgres://antler@127.0.0.1:${port}/postgres`;
  await accepting(bin, port, identity);
  return {
    url,
    child,
    stop: async () => {
      await stopped(child, 'SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The port opens a little before the server takes sessions. */
async function accepting(bin: string, port: number, identity: object): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], identity).status === 0) return;
    await delay(50);
  }
  throw new Error('postgres does not accept connections');
}

function accountOf(user: string): { uid?: number; gid?: number } {
  const read = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim());
  return { uid: read('-u'), gid: read('-g') };
}

/** The Redis of this test run: the one `npm test` started, else one of our own. */
export async function redisForTests(): Promise<Service> {
  const url = process.env.ANTLER_TEST_REDIS_URL;
  return url === undefined ? startRedis() : { url, stop: async () => {} };
}

/** The PostgreSQL of this test run; each caller gets a database of its own on it. */
export async function postgresForTests(): Promise<Service> {
  const given = process.env.ANTLER_TEST_DATABASE_URL;
  const server = given === undefined ? await startPostgres() : { url: given, stop: async () => {} };
  const { default: pg } = await import('pg');
  const name = `t_${process.pid}_${Date.now().toString(36)}_${Math.floor(Math.random() * 1e6)}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, stop: () => server.stop() };
}

/** The browser for tests of pages. */
export function findChromium(): string | undefined {
  return findProgram('chromium') ?? findProgram('chromium-browser') ?? findProgram('google-chrome');
}
