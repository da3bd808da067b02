/** What an admin decides about sandboxes. */
export interface SandboxSettings {
  readonly image: string;
  /** Where the engine listens: `unix:///var/run/docker.sock`, `tcp://host:2375`. */
  readonly host: string;
  /** False: none at all. A text: the engine's network of that name. */
  readonly network: boolean | string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** Processes and threads at once. */
  readonly pids: number;
  /** A container that nobody has used for so long is removed; its files stay. */
  readonly idleMs: number;
}
