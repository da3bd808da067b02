import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { AntlerError } from '../../../base/errors.ts';
import { KeyedQueue } from '../../../base/keyed-queue.ts';
import { AREA_PATHS, type Area, type Place, placeOf } from '../paths.ts';
import type { ExecOptions, ExecResult, Workspace, WorkspaceEntry } from '../port.ts';
import { fileError, isMissing } from './errors.ts';
import { type FileOwner, type HeldFolder, within } from './held-folder.ts';
import type { Layout } from './layout.ts';
import { list } from './list.ts';
import type { Space } from './space.ts';
import { freeName, readIndex, writeIndex } from './uploads-index.ts';

/** One file, however much room the owner has. */
const MAX_FILE_BYTES = 50_000_000;

/** Two turns of one owner may ask for the same file at the same time. */
const receiving = new KeyedQueue();

export interface FolderParts {
  readonly layout: Layout;
  /** Where the skills lie on this machine; null: there are none. */
  readonly skills: string | null;
  readonly space: Space;
  readonly owner: FileOwner | null;
}

/** A workspace on folders of this machine, confined to them; it runs nothing. */
export class FolderWorkspace implements Workspace {
  readonly canExec: boolean = false;
  readonly #parts: FolderParts;

  constructor(parts: FolderParts) {
    this.#parts = parts;
  }

  async exec(_command: string, _options: ExecOptions): Promise<ExecResult> {
    throw new AntlerError('unsupported', 'commands cannot be run here');
  }

  read(path: string, maxBytes: number): Promise<Uint8Array> {
    return this.#inFolderOf(path, undefined, async (folder, name, place) => {
      const { handle, stats } = await folder.openFile(name);
      try {
        if (stats.size > maxBytes)
          throw new AntlerError('too_large', `${place.path} has ${stats.size} bytes; at most ${maxBytes} can be read`);
        return await readWhole(handle, stats.size, maxBytes, place.path);
      } finally {
        await handle.close();
      }
    });
  }

  async write(path: string, content: Uint8Array): Promise<void> {
    const place = writable(path);
    if (content.byteLength > MAX_FILE_BYTES)
      throw new AntlerError('too_large', `a file has at most ${MAX_FILE_BYTES / 1_000_000} MB`);
    await this.#parts.space.take(this.#parts.layout.ownerRoot, content.byteLength);
    await this.#inFolderOf(path, this.#parts.owner, async (folder, name) => {
      const before = await folder.lstat(name).catch((thrown: unknown) => {
        if (isMissing(thrown)) return null;
        throw thrown;
      });
      if (before?.isDirectory()) throw new AntlerError('bad_input', `${place.path} is a folder`);
      await this.#replace(folder, name, content, before?.isFile() ? before.mode & 0o777 : 0o644);
    });
  }

  /** Whole or not at all: a reader never sees half a file, and what a link leads to is never written. */
  async #replace(folder: HeldFolder, name: string, content: Uint8Array, mode: number): Promise<void> {
    const draft = `.antler-${randomBytes(9).toString('base64url')}`;
    const handle = await folder.create(draft);
    try {
      try {
        await handle.writeFile(content);
        await handle.chmod(mode);
        const { owner } = this.#parts;
        if (owner !== null) await handle.chown(owner.uid, owner.gid);
      } finally {
        await handle.close();
      }
      await folder.rename(draft, name);
    } catch (thrown) {
      await folder.unlink(draft).catch(() => {}); // the first error is the one to tell
      throw thrown;
    }
  }

  async list(
    path: string,
    options: { readonly deep: boolean; readonly limit: number },
  ): Promise<readonly WorkspaceEntry[]> {
    const place = placeOf(path);
    if (place.area === null) return this.#listAreas(options);
    return this.#within(place, place.names, undefined, (folder) => list(folder, place.path, options));
  }

  async #listAreas(options: { readonly deep: boolean; readonly limit: number }): Promise<readonly WorkspaceEntry[]> {
    const found: WorkspaceEntry[] = [];
    for (const area of ['outputs', 'uploads', 'workspace'] as const) {
      found.push(await this.stat(AREA_PATHS[area]));
      if (options.deep) found.push(...(await this.list(AREA_PATHS[area], options)));
    }
    return found.slice(0, options.limit);
  }

  async stat(path: string): Promise<WorkspaceEntry> {
    const place = placeOf(path);
    if (place.area === null || place.names.length === 0)
      return { path: place.path, kind: 'folder', bytes: 0, changedAt: 0 };
    return this.#inFolderOf(path, undefined, async (folder, name) => {
      const stats = await folder.lstat(name);
      const kind = stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
      return { path: place.path, kind, bytes: kind === 'file' ? stats.size : 0, changedAt: stats.mtimeMs };
    });
  }

  async remove(path: string): Promise<void> {
    writable(path);
    await this.#inFolderOf(path, undefined, async (folder, name) => {
      const stats = await folder.lstat(name);
      await (stats.isDirectory() ? folder.removeTree(name) : folder.unlink(name));
    });
    this.#parts.space.forget(this.#parts.layout.ownerRoot);
  }

  receive(file: { readonly id: string; readonly name: string }, load: () => Promise<Uint8Array>): Promise<string> {
    return receiving.run(this.#parts.layout.root, () => this.#receive(file, load));
  }

  async #receive(
    file: { readonly id: string; readonly name: string },
    load: () => Promise<Uint8Array>,
  ): Promise<string> {
    const { layout, space } = this.#parts;
    const indexPath = join(layout.root, 'uploads.json');
    const index = await readIndex(indexPath);
    const known = index.get(file.id);
    if (known !== undefined && (await this.#isThere(known))) return `${AREA_PATHS.uploads}/${known}`;
    const content = await load();
    await space.take(layout.ownerRoot, content.byteLength);
    const name = known ?? freeName(file.name, await this.#takenNames(index));
    const place = placeOf(`${AREA_PATHS.uploads}/${name}`);
    await this.#within(place, [], undefined, (folder) => this.#replace(folder, name, content, 0o444));
    await writeIndex(indexPath, index.set(file.id, name));
    return place.path;
  }

  /** Also those that another process has put there since the index was read. */
  async #takenNames(index: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
    const there = await this.list(AREA_PATHS.uploads, { deep: false, limit: 10_000 });
    return new Set([...index.values(), ...there.map(({ path }) => basename(path))]);
  }

  #isThere(upload: string): Promise<boolean> {
    return this.stat(`${AREA_PATHS.uploads}/${upload}`).then(
      () => true,
      () => false,
    );
  }

  /** Opens the folder that a path's last name is in. */
  async #inFolderOf<Value>(
    path: string,
    makeFor: FileOwner | null | undefined,
    use: (folder: HeldFolder, name: string, place: Place) => Promise<Value>,
  ): Promise<Value> {
    const place = placeOf(path);
    const name = place.names.at(-1);
    if (name === undefined) throw new AntlerError('bad_input', `${place.path} is a folder`);
    return this.#within(place, place.names.slice(0, -1), makeFor, (folder) => use(folder, name, place));
  }

  async #within<Value>(
    place: Place,
    names: readonly string[],
    makeFor: FileOwner | null | undefined,
    use: (folder: HeldFolder) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await within(this.#rootOf(place), names, makeFor, use);
    } catch (thrown) {
      throw fileError(thrown, place.path);
    }
  }

  #rootOf({ area, path }: Place): string {
    const root = area === null ? null : area === 'skills' ? this.#parts.skills : this.#parts.layout.areas[area];
    if (root === null) throw new AntlerError('not_found', `there is nothing at ${path}.`);
    return root;
  }
}

const WRITABLE: ReadonlySet<Area | null> = new Set(['workspace', 'outputs']);

function writable(path: string): Place {
  const place = placeOf(path);
  if (!WRITABLE.has(place.area))
    throw new AntlerError(
      'forbidden',
      `${place.path} is read-only; write below ${AREA_PATHS.workspace} or ${AREA_PATHS.outputs}`,
    );
  return place;
}

/** At most as much as was promised, also when the file grows meanwhile. */
async function readWhole(
  handle: {
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  },
  size: number,
  maxBytes: number,
  path: string,
): Promise<Uint8Array> {
  const buffer = new Uint8Array(Math.min(size, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.byteLength - length, length);
    length += bytesRead;
    if (bytesRead === 0) return buffer.subarray(0, length);
    if (length === buffer.byteLength) throw new AntlerError('conflict', `${path} is being written; read it again`);
  }
}
