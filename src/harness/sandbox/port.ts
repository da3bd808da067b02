import type { Assistant } from '../port.ts';

/**
 * Where a run's files and commands live: a folder of its owner's, with a container around it where there is an engine.
 * Paths are virtual: below `/mnt/user-data/{uploads,workspace,outputs}` (also what relative paths mean: `workspace`)
 * and, read-only, `/mnt/skills`. No path leads out of them, by `..`, links or otherwise.
 */
export interface Workspace {
  /** False without an engine: then there is no shell, rather than an unsafe one. */
  readonly canExec: boolean;
  /** @throws AntlerError `unsupported` without an engine, `unavailable` when it cannot be reached, `cancelled`. */
  exec(command: string, options: ExecOptions): Promise<ExecResult>;
  /** @throws AntlerError `not_found`, `bad_input` (a folder, no such path), `too_large` above `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Makes missing folders. @throws AntlerError `forbidden` (read-only), `too_large` (the owner's space is full). */
  write(path: string, content: Uint8Array): Promise<void>;
  /** What lies below a path, sorted by path, at most `limit`; of folders only themselves unless `deep`. */
  list(path: string, options: { readonly deep: boolean; readonly limit: number }): Promise<readonly WorkspaceEntry[]>;
  /** @throws AntlerError `not_found`. */
  stat(path: string): Promise<WorkspaceEntry>;
  /** A file, or a folder with all that is in it. @throws AntlerError `not_found`, `forbidden` (read-only). */
  remove(path: string): Promise<void>;
  /**
   * Puts a file that came in below `uploads`, unless it is there already; `load` is asked only then. Two files of one
   * name get two names. @returns its path. @throws AntlerError `too_large`; whatever `load` throws.
   */
  receive(file: { readonly id: string; readonly name: string }, load: () => Promise<Uint8Array>): Promise<string>;
}

export interface WorkspaceEntry {
  /** Virtual and absolute. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly bytes: number;
  /** Milliseconds since the epoch, as finely as the file system knows it: with `bytes`, it tells two versions apart. */
  readonly changedAt: number;
}

export interface ExecOptions {
  readonly timeoutMs: number;
  /** In addition to a clean base; nothing of the process's own environment is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** Of stdout and stderr together; what is more is dropped from the middle. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export interface ExecResult {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut: boolean;
  /**
   * Why it was killed, where that was not for time: it wrote without end, filled the owner's space, or left so many
   * processes that all of them were ended.
   */
  readonly stopped?: 'output' | 'disk' | 'processes';
  /** Bytes that `output` leaves out. */
  readonly dropped: number;
}

/** Who a workspace belongs to; two owners never share one. */
export interface WorkspaceOwner {
  /** {@link RunContext.owner}. */
  readonly owner: string;
  readonly assistantId: string;
}

/** What a place for files has, which decides what tools there are. */
export interface WorkspaceMeans {
  readonly files: boolean;
  /** An engine answers and has the image. */
  readonly exec: boolean;
}

export interface Workspaces {
  /** Cheap: asked at the start of every run. */
  means(): Promise<WorkspaceMeans>;
  /** Opens the owner's, making it at the first time. Cheap while it is in use. */
  open(owner: WorkspaceOwner, assistant: Assistant): Promise<Workspace>;
  /** Ends what runs and lets go of what is held; the files stay. */
  close(): Promise<void>;
}
