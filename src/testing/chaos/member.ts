import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export type Role = 'gateway' | 'worker';

const program = join(import.meta.dirname, '../../cli/antler.mjs');
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
  kills = 0;
  /** It has ended by itself, as when it finds no Redis at its start. */
  exits = 0;

  constructor(role: Role, number: number, folder: string, env: Readonly<Record<string, string>>) {
    this.role = role;
    this.#folder = folder;
    this.#env = env;
    this.#log = createWriteStream(join(folder, `${role}-${number}.log`), { flags: 'a' });
  }

  get alive(): boolean {
    return this.#child !== undefined;
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
    child.stderr.pipe(this.#log, { end: false });
    child.once('exit', (_code, signal) => {
      this.#child = undefined;
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
