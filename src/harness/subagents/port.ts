import type { ModelConfig } from '../port.ts';

/** A kind of sub-agent. */
export interface SubagentType {
  readonly name: string;
  /** For the model that delegates: what it is good for. */
  readonly description: string;
  readonly soul: string;
  /** Of its parent's tools those of these names; `all` for every one. */
  readonly tools: readonly string[];
  /** Absent: its parent's. */
  readonly model?: ModelConfig;
  readonly maxSteps: number;
  readonly maxRunTokens: number;
  /** From when it begins to work, not from when it was asked for. */
  readonly timeoutMs: number;
}

/** What an assistant may hand on. */
export interface Subagents {
  /** Of one person, over all runs of the process. */
  readonly atOnce: number;
  /** In one turn. */
  readonly perRun: number;
  /** Besides those that are built in; one of the same name takes the place of that. */
  readonly types: readonly SubagentType[];
}
