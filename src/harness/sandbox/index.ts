import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/folder.ts';
import type { Logger } from '../../base/logger.ts';
import type { Assistant } from '../port.ts';
import { DockerWorkspaces } from './docker/index.ts';
import type { SandboxSettings } from './docker/settings.ts';
import { startExpiry } from './folder/expiry.ts';
import { FolderWorkspaces } from './folder/index.ts';
import type { Workspaces } from './port.ts';

export interface WorkspacesOptions {
  /** Holds a folder an owner; absolute, and made when it is missing. */
  readonly base: string;
  /** Where `base` lies on the engine's machine, when that has it elsewhere. */
  readonly hostBase?: string;
  /** Where the skills that an assistant has lie, and no others. Below `base`, which the engine's machine has as well. */
  readonly skills?: (assistant: Assistant) => Promise<string | null>;
  /** Files of one owner. */
  readonly maxBytes: number;
  /** Workspaces that nobody has opened for so long are deleted, and sooner what came into them so long ago. */
  readonly keepMs: number;
  /** Absent: no commands. */
  readonly sandbox?: SandboxSettings;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The workspaces of a process, to be closed. With a sandbox, what earlier processes have left behind in the engine is
 * swept in the background.
 */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { hostBase, skills, maxBytes, keepMs, sandbox, clock, log } = options;
  makeFolder(options.base);
  const base = realpathSync(options.base);
  const folder = new FolderWorkspaces({ base, maxBytes, clock, ...(skills === undefined ? {} : { skills }) });
  const stopExpiry = startExpiry({ base, keepMs, clock, log });
  if (sandbox === undefined) return { ...opened(folder), close: stopExpiry };
  const hostPath = (path: string): string =>
    hostBase === undefined || !path.startsWith(base) ? path : resolve(hostBase, relative(base, path));
  const docker = new DockerWorkspaces({
    folder,
    base,
    settings: sandbox,
    hostPath,
    clock,
    log,
  });
  void docker.sweep();
  return {
    ...opened(docker),
    close: async () => {
      await stopExpiry();
      await docker.close();
    },
  };
}

const opened = (workspaces: Workspaces): Omit<Workspaces, 'close'> => ({
  means: () => workspaces.means(),
  open: (owner, assistant) => workspaces.open(owner, assistant),
});
