import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export type Role = 'gateway' | 'worker';

const program = join(import.meta.dirname, '../../cli/antler.mjs');
const READY = /^Antler (?:is at|worker is running)/m;
/** As a supervisor waits before it starts again what has ended. */
const RESPAWN_MS = 200;

/** One Antler process of the fleet, and those that took its place. */
export class Member {
  readonly role: Role;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #respawn: NodeJS.Timeout | undefined;
  #stopped = false;
  #ready = false;
  kills = 0;
  /** It has ended by itself, as when it finds no Redis at its start. */
  exits = 0;

  constructor(role: Role, number: number, folder: string, env: Readonly<Record<string, string>>) {
    this.role = role;
    this.#folder = folder;
    this.#env = env;
    this.#log = createWriteStream(join(folder, `${role}-${number}.log`), { flags: 'a' });
  }

  /** There is a process, be it that it just starts. */
  get alive(): boolean {
    return this.#child !== undefined;
  }

  /** It has said that it runs. */
  get ready(): boolean {
    return this.#ready;
  }

  start(): void {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [program, this.role], {
      cwd: this.#folder,
      env: { PATH, HOME, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.pipe(this.#log, { end: false });
    let said = '';
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      if (!READY.test(said)) return;
      this.#ready = true;
      child.stdout.off('data', listen);
    };
    child.stdout.on('data', listen);
    child.stderr.pipe(this.#log, { end: false });
    child.once('exit', (_code, signal) => {
      this.#child = undefined;
      this.#ready = false;
      if (this.#stopped) return;
      if (signal === 'SIGKILL') this.kills += 1;
      else this.exits += 1;
      this.#respawn = setTimeout(() => this.start(), RESPAWN_MS);
    });
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
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
}
