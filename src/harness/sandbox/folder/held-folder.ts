import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AntlerError } from '../../../base/errors.ts';

/** Absent on Windows, where nothing in a workspace can make links. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** Without `O_NONBLOCK`, to open a pipe that a command has made would wait for its other end for ever. */
const NON_BLOCK = constants.O_NONBLOCK ?? 0;
/** Each level is held open while those below are removed. */
const MAX_TREE_DEPTH = 64;
const DESCRIPTORS = process.platform === 'linux' ? '/proc/self/fd' : null;

/** To whom new files belong. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A folder that is held open, so that what is done in it is done in it: commands in a sandbox may replace any folder
 * on the way by a link at any moment, and a path that was checked means nothing a moment later. On Linux children are
 * named through the open descriptor (as `openat(2)` does, which Node lacks); elsewhere the folder's real path is
 * compared after opening.
 */
export class HeldFolder {
  readonly #handle: FileHandle;
  readonly #base: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#base = DESCRIPTORS === null ? path : `${DESCRIPTORS}/${handle.fd}`;
  }

  /** Opens a folder by a path of this machine that nobody but this process can have changed. */
  static async open(path: string): Promise<HeldFolder> {
    return HeldFolder.#opened(path, path);
  }

  static async #opened(path: string, name: string): Promise<HeldFolder> {
    const handle = await open(path, FOLDER);
    const held = new HeldFolder(handle, path);
    if (DESCRIPTORS === null && (await realpath(path)) !== path) {
      await held.close();
      throw new AntlerError('bad_input', `${name} leads through a link; links are not followed`);
    }
    return held;
  }

  /** Opens a folder in this one, no link. `makeFor`: makes it when it is missing, for that owner. */
  async enter(name: string, makeFor?: FileOwner | null): Promise<HeldFolder> {
    const made = makeFor !== undefined && (await this.#make(name));
    const inner = await HeldFolder.#opened(this.#at(name), name);
    try {
      if (made && makeFor !== null) await inner.#handle.chown(makeFor.uid, makeFor.gid);
      return inner;
    } catch (thrown) {
      await inner.close();
      throw thrown;
    }
  }

  /** @returns whether it was not there. */
  async #make(name: string): Promise<boolean> {
    try {
      await mkdir(this.#at(name), { mode: 0o755 });
      return true;
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
      throw thrown;
    }
  }

  /** Opens an ordinary file for reading. Refuses links, pipes, devices, and files that have a second name elsewhere. */
  async openFile(name: string): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
    const handle = await open(this.#at(name), constants.O_RDONLY | NO_FOLLOW | NON_BLOCK);
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw new AntlerError('bad_input', `${name} is a folder`);
      if (!stats.isFile()) throw new AntlerError('bad_input', `${name} is no ordinary file`);
      if (stats.nlink > 1)
        throw new AntlerError('bad_input', `${name} is a hard link; copy it to a new file and use that`);
      return { handle, stats };
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /** Makes a file that is not there yet. */
  create(name: string): Promise<FileHandle> {
    return open(this.#at(name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o644);
  }

  /** Of the thing itself: links are not followed. */
  lstat(name: string): Promise<Stats> {
    return lstat(this.#at(name));
  }

  stat(): Promise<Stats> {
    return this.#handle.stat();
  }

  /** Replaces `to`, also when that is a link: the link is replaced, not what it leads to. */
  rename(from: string, to: string): Promise<void> {
    return rename(this.#at(from), this.#at(to));
  }

  unlink(name: string): Promise<void> {
    return unlink(this.#at(name));
  }

  /** Removes what is below a folder, and itself. Links in it are removed, never followed. */
  async removeTree(name: string, depth = MAX_TREE_DEPTH): Promise<void> {
    if (depth === 0) throw new AntlerError('bad_input', `there are too many folders in one another below ${name}`);
    const inner = await this.enter(name);
    try {
      for await (const entry of inner.entries())
        await (entry.isDirectory()
          ? inner.removeTree(entry.name, depth - 1)
          : rm(inner.#at(entry.name), { force: true }));
    } finally {
      await inner.close();
    }
    await rmdir(this.#at(name));
  }

  /** What is in it, in no order. */
  async *entries(): AsyncGenerator<Dirent> {
    yield* await opendir(this.#base);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #at(name: string): string {
    return join(this.#base, name);
  }
}

/** Opens a folder below another, name by name, and closes whatever it has opened. */
export async function within<Value>(
  root: string,
  names: readonly string[],
  makeFor: FileOwner | null | undefined,
  use: (folder: HeldFolder) => Promise<Value>,
): Promise<Value> {
  let current = await HeldFolder.open(root);
  try {
    for (const name of names) {
      const next = await current.enter(name, makeFor);
      await current.close();
      current = next;
    }
    return await use(current);
  } finally {
    await current.close();
  }
}
