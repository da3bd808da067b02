import { createHash, randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';

export const BEAT_MS = 10_000;
/** A holder that has not been heard of for so long is gone. */
const GONE_AFTER_MS = 45_000;

/**
 * Who holds which container, as files beside the workspaces, which all processes of an installation share anyway: one
 * file a holder, touched again and again. Of a process on this machine it is known at once when it is dead.
 */
export class Leases {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #held = new Set<string>();

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
    this.#holder = `${MACHINE}.${process.pid}.${randomUUID()}`;
  }

  async take(name: string): Promise<void> {
    await mkdir(join(this.#root, name), { recursive: true, mode: 0o700 });
    await writeFile(this.#file(name), '', { mode: 0o600 });
    this.#held.add(name);
  }

  async release(name: string): Promise<void> {
    this.#held.delete(name);
    await rm(this.#file(name), { force: true });
    await rmdir(join(this.#root, name)).catch(() => {}); // others hold it too
  }

  /** Says of all that is held that it still is. */
  async beat(): Promise<void> {
    const now = new Date(this.#clock.now());
    for (const name of this.#held)
      await utimes(this.#file(name), now, now).catch(() => (this.#held.has(name) ? this.take(name) : undefined));
  }

  /** Does anybody live hold it, apart from this process? */
  async heldByOthers(name: string): Promise<boolean> {
    const holders = await readdir(join(this.#root, name)).catch(() => []);
    for (const holder of holders) if (holder !== this.#holder && (await this.#lives(name, holder))) return true;
    return false;
  }

  async isHeld(name: string): Promise<boolean> {
    return this.#held.has(name) || (await this.heldByOthers(name));
  }

  /** Removes what dead holders have left. */
  async tidy(): Promise<void> {
    for (const name of await readdir(this.#root).catch(() => [])) {
      for (const holder of await readdir(join(this.#root, name)).catch(() => []))
        if (holder !== this.#holder && !(await this.#lives(name, holder)))
          await rm(join(this.#root, name, holder), { force: true });
      if (!this.#held.has(name)) await rmdir(join(this.#root, name)).catch(() => {}); // still held
    }
  }

  async #lives(name: string, holder: string): Promise<boolean> {
    const stats = await stat(join(this.#root, name, holder)).catch(() => null);
    if (stats === null || this.#clock.now() - stats.mtimeMs > GONE_AFTER_MS) return false;
    const [machine, pid] = holder.split('.');
    return machine !== MACHINE || isRunning(Number(pid));
  }

  #file(name: string): string {
    return join(this.#root, name, this.#holder);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Where a process id means the same process: a machine, and on Linux one namespace of it. */
const MACHINE = createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 16);

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // not Linux
  }
}
