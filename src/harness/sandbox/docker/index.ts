import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { makeFolder } from '../../../base/folder.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Assistant } from '../../port.ts';
import type { FolderWorkspaces } from '../folder/index.ts';
import { ownerDigest } from '../folder/layout.ts';
import type { WorkspaceMeans, WorkspaceOwner, Workspaces } from '../port.ts';
import { Boxes } from './boxes.ts';
import { containerName } from './container-spec.ts';
import { Engine, type EngineState } from './engine.ts';
import { BEAT_MS, Leases } from './leases.ts';
import type { SandboxSettings } from './settings.ts';
import { DockerWorkspace } from './workspace.ts';

export interface DockerOptions {
  readonly folder: FolderWorkspaces;
  /** Where the folders lie; absolute. */
  readonly base: string;
  readonly settings: SandboxSettings;
  /** A path of this machine, as the engine's host has it. */
  readonly hostPath: (path: string) => string;
  readonly clock: Clock;
  readonly log: Logger;
}

const SWEEP_MS = 30_000;

/** Workspaces on folders of this machine, with a container around each while commands run. */
export class DockerWorkspaces implements Workspaces {
  readonly #options: DockerOptions;
  readonly #engine: Engine;
  readonly #leases: Leases;
  #boxes: Promise<{ readonly boxes: Boxes; readonly installation: string }> | undefined;
  readonly #beat: NodeJS.Timeout;
  readonly #sweep: NodeJS.Timeout;
  #sweeping: Promise<void> | undefined;
  #told: EngineState['kind'] = 'ready';

  constructor(options: DockerOptions) {
    const { settings, clock, base } = options;
    this.#options = options;
    this.#engine = new Engine(settings.image, settings.host, clock.now);
    this.#leases = new Leases(join(base, '.leases'), clock);
    this.#beat = setInterval(() => void this.#leases.beat().catch(() => {}), BEAT_MS).unref();
    this.#sweep = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  async means(): Promise<WorkspaceMeans> {
    const state = await this.#engine.state();
    if (state.kind !== this.#told) this.#tell(state);
    return { files: true, exec: state.kind === 'ready' };
  }

  async open(owner: WorkspaceOwner, assistant?: Assistant): Promise<DockerWorkspace> {
    const [parts, { exec }, { boxes, installation }] = await Promise.all([
      this.#options.folder.prepare(owner, assistant),
      this.means(),
      this.#ready(),
    ]);
    const { hostPath } = this.#options;
    const digest = ownerDigest(owner.owner);
    const box = {
      name: containerName(installation, digest, owner.assistantId),
      installation,
      owner: digest,
      assistant: owner.assistantId,
      layout: parts.layout,
      skills: parts.skills,
      hostPath,
      maxFileBytes: this.#options.folder.space.maxBytes,
    };
    return new DockerWorkspace(parts, {
      engine: this.#engine,
      boxes,
      box,
      canExec: exec && assistant?.sandbox !== false,
    });
  }

  /** Removes what is idle and what dead processes have left. Never rejects: an engine that is away has its turn later. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweepOnce(): Promise<void> {
    if ((await this.#engine.state()).kind === 'unreachable') return;
    try {
      const { boxes } = await this.#ready();
      await boxes.removeIdle();
      await boxes.sweep();
    } catch (thrown) {
      this.#options.log.warn({ err: thrown }, 'sandboxes could not be swept; it is tried again');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    clearInterval(this.#sweep);
    await this.#sweeping;
    if (this.#boxes !== undefined) await (await this.#boxes).boxes.close();
  }

  #ready() {
    this.#boxes ??= installationId(this.#options.base).then((installation) => {
      const { settings, clock, log } = this.#options;
      const parts = { engine: this.#engine, leases: this.#leases, settings, clock, log };
      return { boxes: new Boxes({ ...parts, installation }), installation };
    });
    return this.#boxes;
  }

  /** Once for each change. */
  #tell(state: EngineState): void {
    const { log, settings } = this.#options;
    this.#told = state.kind;
    if (state.kind === 'ready') log.info({ engine: state.version }, 'the sandbox engine is there: commands can be run');
    else if (state.kind === 'no_image')
      log.warn({ image: settings.image }, 'the sandbox image is not there, so there is no shell; see antler doctor');
    else log.warn({ problem: state.problem }, 'the sandbox engine cannot be reached, so there is no shell');
  }
}

/** Tells the containers of this installation from those of others on the same engine. Made once, by whoever is first. */
async function installationId(base: string): Promise<string> {
  makeFolder(base);
  const path = join(base, '.installation');
  const read = (): string | null => {
    try {
      return readFileSync(path, 'utf8').trim() || null;
    } catch {
      return null;
    }
  };
  const known = read();
  if (known !== null) return known;
  // Linked, not renamed: a file that another process has put there meanwhile stays.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, randomUUID(), { mode: 0o600 });
  await link(draft, path).catch(() => {});
  await rm(draft, { force: true });
  const made = read();
  if (made === null) throw new Error(`${path} cannot be read`);
  return made;
}
