import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import { HeldFolder } from './held-folder.ts';

export interface ExpiryOptions {
  /** Holds a folder an owner. */
  readonly base: string;
  readonly keepMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 3_600_000;

/** Keeps what people were promised about their files for workspaces as well, hour by hour. Call the result to stop. */
export function startExpiry(options: ExpiryOptions): () => Promise<void> {
  const stopping = new AbortController();
  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await expire(options).catch((err: unknown) => options.log.warn({ err }, 'old workspaces were not deleted'));
      await options.clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {}); // woken by the stop
    }
  }
  const looking = keepLooking();
  return async () => {
    stopping.abort();
    await looking;
  };
}

/** Deletes workspaces that nobody has opened for so long, and in the others what came in so long ago. */
export async function expire({ base, keepMs, clock, log }: ExpiryOptions): Promise<void> {
  const before = clock.now() - keepMs;
  let deleted = 0;
  for (const owner of await namesIn(base)) {
    if (!/^[0-9a-f]{64}$/.test(owner)) continue;
    for (const assistant of await namesIn(join(base, owner))) {
      const root = join(base, owner, assistant);
      if (await isOlder(root, before)) deleted += await removed(join(base, owner), assistant);
      else deleted += await expireUploads(join(root, 'uploads'), before);
    }
    if ((await namesIn(join(base, owner))).length === 0) await removed(base, owner);
  }
  if (deleted > 0) log.info({ deleted }, 'old files of workspaces were deleted');
}

async function expireUploads(folder: string, before: number): Promise<number> {
  let deleted = 0;
  for (const name of await namesIn(folder))
    if (await isOlder(join(folder, name), before)) deleted += await removed(folder, name);
  return deleted;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

const isOlder = async (path: string, before: number): Promise<boolean> =>
  ((await stat(path).catch(() => null))?.mtimeMs ?? before) < before;

async function removed(folder: string, name: string): Promise<number> {
  const held = await HeldFolder.open(folder);
  try {
    await ((await held.lstat(name)).isDirectory() ? held.removeTree(name) : held.unlink(name));
    return 1;
  } catch {
    return 0; // gone already, or used again: it is looked at once more later
  } finally {
    await held.close();
  }
}
