import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { childrenOf } from '../e2e/process.ts';

/** `crew`: a supervisor with workers as its children; they are what is killed. */
export type Role = 'gateway' | 'worker' | 'crew';

const program = join(import.meta.dirname, '../../cli/antler.mjs');
const READY = /^Antler (?:is at|worker is running)/gm;
/** As a supervisor waits before it starts again what has ended. */
const RESPAWN_MS = 200;

/** One Antler process of the fleet, and those that took its place; or a crew of them. */
export class Member {
  readonly role: Role;
  /** Processes that can be killed, when all are up. */
  readonly size: number;
  readonly #args: readonly string[];
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #respawn: NodeJS.Timeout | undefined;
  #stopped = false;
  #ready = 0;
  kills = 0;
  /** It has ended by itself, as when it finds no Redis at its start. */
  exits = 0;

  constructor(role: Role, name: string, size: number, folder: string, env: Readonly<Record<string, string>>) {
    this.role = role;
    this.size = size;
    this.#args = role === 'crew' ? ['worker', '--processes', String(size)] : [role];
    this.#folder = folder;
    this.#env = env;
    this.#log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  }

  /** Processes that there are, be it that they just start. */
  get alive(): number {
    return this.#victims().length;
  }

  /** Those that have said that they run. */
  get ready(): number {
    return Math.min(this.#ready, this.alive);
  }

  start(): void {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [program, ...this.#args], {
      cwd: this.#folder,
      env: { PATH, HOME, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.pipe(this.#log, { end: false });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#ready += chunk.toString().match(READY)?.length ?? 0;
    });
    child.stderr.pipe(this.#log, { end: false });
    child.once('exit', (_code, signal) => {
      this.#child = undefined;
      this.#ready = 0;
      if (this.#stopped) return;
      if (signal !== 'SIGKILL') this.exits += 1;
      this.#respawn = setTimeout(() => this.start(), RESPAWN_MS);
    });
  }

  /** Kills one of its processes. */
  kill(): void {
    const victims = this.#victims();
    const victim = victims[Math.floor(Math.random() * victims.length)];
    if (victim === undefined) return;
    this.kills += 1;
    this.#ready = Math.max(0, this.#ready - 1);
    try {
      process.kill(victim, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#respawn);
    const child = this.#child;
    if (child !== undefined) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(hard);
    }
    this.#log.end();
  }

  #victims(): readonly number[] {
    const pid = this.#child?.pid;
    if (pid === undefined) return [];
    if (this.role !== 'crew') return [pid];
    try {
      return childrenOf(pid);
    } catch {
      return []; // it has just ended
    }
  }
}
