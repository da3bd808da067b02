import { chown, mkdir, utimes } from 'node:fs/promises';
import type { Clock } from '../../../base/clock.ts';
import { makeFolder } from '../../../base/folder.ts';
import type { WorkspaceOwner, Workspaces } from '../port.ts';
import { layoutOf, workspaceFileOwner } from './layout.ts';
import { Space } from './space.ts';
import { type FolderParts, FolderWorkspace } from './workspace.ts';

export interface FolderOptions {
  /** Holds a folder an owner. Absolute. */
  readonly base: string;
  /** Where the skills lie; absent: there are none. */
  readonly skills?: string;
  /** Of one owner, over all assistants. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** Workspaces on folders of this machine, without commands. */
export class FolderWorkspaces implements Workspaces {
  readonly space: Space;
  readonly #options: FolderOptions;

  constructor(options: FolderOptions) {
    this.#options = options;
    this.space = new Space(options.maxBytes, options.clock);
  }

  async means() {
    return { files: true, exec: false };
  }

  async open(owner: WorkspaceOwner): Promise<FolderWorkspace> {
    return new FolderWorkspace(await this.prepare(owner));
  }

  /** Makes the owner's folders where they are missing. */
  async prepare(owner: WorkspaceOwner): Promise<FolderParts> {
    const { base, skills, clock } = this.#options;
    const layout = layoutOf(base, owner);
    makeFolder(layout.root);
    const fileOwner = workspaceFileOwner();
    for (const path of Object.values(layout.areas)) {
      const made = await mkdir(path, { recursive: true, mode: 0o755 });
      if (made !== undefined && fileOwner !== null) await chown(path, fileOwner.uid, fileOwner.gid);
    }
    const now = new Date(clock.now());
    await utimes(layout.root, now, now); // by which it is known when nobody has used it for long
    return { layout, skills: skills ?? null, space: this.space, owner: fileOwner };
  }

  async close(): Promise<void> {}
}
