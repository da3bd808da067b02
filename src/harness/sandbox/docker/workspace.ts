import { AntlerError } from '../../../base/errors.ts';
import { type FolderParts, FolderWorkspace } from '../folder/workspace.ts';
import type { ExecOptions, ExecResult } from '../port.ts';
import type { Boxes, BoxFor } from './boxes.ts';
import { runCommand } from './command.ts';
import { type Engine, engineError } from './engine.ts';

export interface DockerParts {
  readonly engine: Engine;
  readonly boxes: Boxes;
  readonly box: BoxFor;
  readonly canExec: boolean;
}

/** A folder of this machine, and a container that sees it under the virtual paths. */
export class DockerWorkspace extends FolderWorkspace {
  override readonly canExec: boolean;
  readonly #folder: FolderParts;
  readonly #docker: DockerParts;

  constructor(folder: FolderParts, docker: DockerParts) {
    super(folder);
    this.canExec = docker.canExec;
    this.#folder = folder;
    this.#docker = docker;
  }

  override async exec(command: string, options: ExecOptions): Promise<ExecResult> {
    const { engine, boxes, box } = this.#docker;
    const { space, layout } = this.#folder;
    if (!this.canExec) throw new AntlerError('unsupported', 'commands cannot be run here');
    try {
      const [docker, before] = await Promise.all([engine.client(), space.used(layout.ownerRoot)]);
      return await boxes.use(box, options.signal, async (container) => {
        const isOverfull = () => space.isOverfull(layout.ownerRoot, before);
        const { result, isLost } = await runCommand({ docker, container, isOverfull }, command, options);
        return { value: result, isLost };
      });
    } catch (thrown) {
      throw engineError(thrown);
    } finally {
      space.forget(layout.ownerRoot);
    }
  }
}
