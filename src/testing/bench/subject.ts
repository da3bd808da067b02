import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRedis } from '../services.ts';
import { cpuOfTree } from './process-figures.ts';
import { root, type Spawned, spawnScript } from './spawned.ts';
import { type Stage, setStage } from './stage.ts';

/** Something that answers messages, running, with a stage of its own. */
export interface Subject {
  readonly name: SubjectName;
  readonly stage: Stage;
  /** Its processes by what they do. */
  readonly processes: ReadonlyMap<string, Spawned>;
  /** The servers that it works with: the number of each one's root process by name. */
  readonly servers: ReadonlyMap<string, number>;
}

export type SubjectName = 'embedded' | 'servers' | 'reference';

/** Stops what was started, last first. */
export type Owner = AsyncDisposableStack;

/** Processor time of all processes of a subject so far, in milliseconds. */
export const cpuOf = ({ processes }: Subject): number =>
  [...processes.values()].reduce((total, { pid }) => total + cpuOfTree(pid), 0);

/** The same for the servers that it works with. */
export const serverCpuOf = ({ servers }: Subject): number =>
  [...servers.values()].reduce((total, pid) => total + cpuOfTree(pid), 0);

const READY = /Antler (?:is at (http\S+)|worker is running)/;

/** What `npm start` gives to Node before the name of the role. */
const commandLine: readonly string[] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  .scripts.start.split(' ')
  .slice(1, -1)
  .map((part: string) => (part.startsWith('-') ? part : join(root, part)));

/** Starts one role of Antler on a free port, as its users do, with an empty data folder. */
export async function startRole(owner: Owner, role: string, env: Readonly<Record<string, string>>): Promise<Spawned> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bench-'));
  owner.defer(() => rmSync(folder, { recursive: true, force: true }));
  const antler = await spawnScript(
    [...commandLine, role],
    { ANTLER_PORT: '0', ANTLER_DATA_DIR: folder, ...env },
    READY,
  );
  owner.defer(() => antler.stop());
  return antler;
}

async function startStage(owner: Owner): Promise<Stage> {
  const stage = await setStage();
  owner.defer(() => stage.stop());
  return stage;
}

/** All of Antler in one process, on SQLite. */
export async function startEmbedded(owner: Owner): Promise<Subject> {
  const stage = await startStage(owner);
  const antler = await startRole(owner, 'start', stage.env);
  return { name: 'embedded', stage, processes: new Map([['start', antler]]), servers: new Map() };
}

/** A gateway and a worker, on a Redis and a PostgreSQL that write to disk as they do in production. */
export async function startOnServers(owner: Owner): Promise<Subject> {
  const stage = await startStage(owner);
  const redis = await startRedis();
  owner.defer(() => redis.stop());
  const postgres = await startPostgres({ args: ['-c', 'fsync=on'] });
  owner.defer(() => postgres.stop());
  const env = { ...stage.env, REDIS_URL: redis.url, DATABASE_URL: postgres.url };
  const gateway = await startRole(owner, 'gateway', env);
  const worker = await startRole(owner, 'worker', env);
  return {
    name: 'servers',
    stage,
    processes: new Map([
      ['gateway', gateway],
      ['worker', worker],
    ]),
    servers: new Map([
      ['redis', redis.child.pid ?? 0],
      ['postgres', postgres.child.pid ?? 0],
    ]),
  };
}

/** The bare bot that the others are measured against. */
export async function startReference(owner: Owner): Promise<Subject> {
  const stage = await startStage(owner);
  const script = join(import.meta.dirname, 'reference-bot.child.ts');
  // The cache that Antler's own starter switches on.
  const cache = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/antler') };
  const bot = await spawnScript([script], { ...stage.env, ...cache }, /reference bot is running/);
  owner.defer(() => bot.stop());
  return { name: 'reference', stage, processes: new Map([['bot', bot]]), servers: new Map() };
}
