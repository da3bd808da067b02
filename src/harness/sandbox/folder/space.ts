import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedMap } from '../../../base/bounded-map.ts';
import type { Clock } from '../../../base/clock.ts';
import { AntlerError } from '../../../base/errors.ts';

/** More files than this are too many, however small. */
const MAX_FILES = 100_000;
/** What a command may write while it makes room. */
const SLACK_BYTES = 1_000_000;
const MEASURE_AGAIN_MS = 10_000;
const MAX_KNOWN = 1_000;

export interface Used {
  readonly bytes: number;
  readonly files: number;
}

/** What a folder takes on the disk; links are not followed. Stops counting where nobody may have so many files. */
export async function measure(root: string): Promise<Used> {
  let bytes = 0;
  let files = 0;
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined && files <= MAX_FILES; folder = waiting.pop()) {
    const entries = await opendir(folder).catch(() => null); // removed just now
    if (entries === null) continue;
    for await (const entry of entries) {
      if (++files > MAX_FILES) break;
      const path = join(folder, entry.name);
      const stats = await lstat(path).catch(() => null);
      // Blocks, not size: a sparse file takes only what was written of it.
      bytes += stats === null ? 0 : process.platform === 'win32' ? stats.size : stats.blocks * 512;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return { bytes, files };
}

interface Known {
  used: Used;
  at: number;
}

/** Keeps each owner within so much space, over all assistants. One a process; what others write is seen soon after. */
export class Space {
  readonly maxBytes: number;
  readonly #clock: Clock;
  readonly #known = new BoundedMap<string, Known>(MAX_KNOWN);

  constructor(maxBytes: number, clock: Clock) {
    this.maxBytes = maxBytes;
    this.#clock = clock;
  }

  /** @throws AntlerError `too_large` when `more` bytes do not fit into the owner's folder. */
  async take(root: string, more: number): Promise<void> {
    const known = await this.#look(root);
    const bytes = known.used.bytes + more;
    if (bytes > this.maxBytes || known.used.files >= MAX_FILES) throw fullError(this.maxBytes);
    known.used = { bytes, files: known.used.files + 1 };
  }

  /** As of a few seconds ago at most. */
  async used(root: string): Promise<Used> {
    return (await this.#look(root)).used;
  }

  /** Is it fuller now than it may be? An owner who was over the limit `before` must still be able to remove things. */
  async isOverfull(root: string, before: Used): Promise<boolean> {
    this.#known.delete(root);
    const { bytes, files } = (await this.#look(root)).used;
    return bytes > Math.max(this.maxBytes, before.bytes) + SLACK_BYTES || files > Math.max(MAX_FILES, before.files);
  }

  /** Something was removed. */
  forget(root: string): void {
    this.#known.delete(root);
  }

  async #look(root: string): Promise<Known> {
    const known = this.#known.get(root);
    if (known !== undefined && this.#clock.now() - known.at < MEASURE_AGAIN_MS) return known;
    const fresh = { used: await measure(root), at: this.#clock.now() };
    this.#known.set(root, fresh);
    return fresh;
  }
}

export const fullError = (maxBytes: number): AntlerError =>
  new AntlerError(
    'too_large',
    `the space for files is full (${Math.round(maxBytes / 1_000_000)} MB, or too many files): remove what is not needed`,
  );
