/** A program that speaks the Agent Client Protocol on its standard input and output. */
export interface ExternalAgentConfig {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets of an environment besides PATH, the language, and its working folder as HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** For the model: what it is good for. */
  readonly description: string;
  readonly permissions: PermissionPolicy;
  readonly startTimeoutMs: number;
  /** Of one prompt. */
  readonly promptTimeoutMs: number;
}

/**
 * What becomes of an agent's requests for permission. `ask`: the person whom the run is for decides; `allow_read`: it
 * may look at things, everything else is refused; `deny`: everything is.
 */
export type PermissionPolicy = 'ask' | 'allow_read' | 'deny';
