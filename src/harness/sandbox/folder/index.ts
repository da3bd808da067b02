import { chown, mkdir, utimes } from 'node:fs/promises';
import type { Clock } from '../../../base/clock.ts';
import { makeFolder } from '../../../base/folder.ts';
import type { Assistant } from '../../port.ts';
import type { WorkspaceOwner, Workspaces } from '../port.ts';
import { layoutOf, workspaceFileOwner } from './layout.ts';
import { Space } from './space.ts';
import { type FolderParts, FolderWorkspace } from './workspace.ts';

export interface FolderOptions {
  /** Holds a folder an owner. Absolute. */
  readonly base: string;
  /** Where the skills that an assistant has lie, and no others; null: it has none. */
  readonly skills?: (assistant: Assistant) => Promise<string | null>;
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

  async open(owner: WorkspaceOwner, assistant?: Assistant): Promise<FolderWorkspace> {
    return new FolderWorkspace(await this.prepare(owner, assistant));
  }

  /** Makes the owner's folders where they are missing. */
  async prepare(owner: WorkspaceOwner, assistant?: Assistant): Promise<FolderParts> {
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
    const shown = assistant === undefined ? null : ((await skills?.(assistant)) ?? null);
    return { layout, skills: shown, space: this.space, owner: fileOwner };
  }

  async close(): Promise<void> {}
}
