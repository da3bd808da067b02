import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import type { FileInfo, LogEntry } from '../log.ts';
import type { ToolDescription } from '../model/port.ts';
import type { Assistant, FileAccess, HarnessEvent, RunContext } from '../port.ts';
import type { Workspace, WorkspaceMeans } from '../sandbox/port.ts';
import type { ViewedImage } from '../transcript/images.ts';
import { readArguments } from './read-arguments.ts';

/** What a tool knows of the run that called it. */
export interface ToolContext {
  readonly run: RunContext;
  readonly clock: Clock;
  /** The conversation so far. */
  readonly log: readonly LogEntry[];
  readonly files: FileAccess;
  /** The owner's files and commands; opened at the first call of a run. */
  workspace(): Promise<Workspace>;
  /** What commands get in their environment; never to be shown. */
  readonly commandEnv: Readonly<Record<string, string>>;
  /** Shows a file to the person, after the answer. */
  present(file: FileInfo): void;
  /** Shows the model an image, from the next step to the end of the turn. */
  view(image: ViewedImage): void;
  /** Says what is being done, see the event of this name. */
  progress(text: string): void;
  /** The same on every re-run of the turn. */
  readonly turnId: string;
  /** Stable over re-runs of the turn: for calls that must take effect once. */
  readonly idempotencyKey: string;
  /** The newest value that was kept under `key` in this conversation; undefined when there is none. */
  state(key: string): unknown;
  /** Keeps a value for later turns; JSON-safe. */
  keep(key: string, value: unknown): void;
  /** Counts tokens that the call has used into the run. */
  spend(usage: Extract<HarnessEvent, { type: 'usage' }>): void;
}

/** Where tools come from: those built in, an assistant's MCP servers, … */
export interface ToolSource {
  readonly name: string;
  /** Those that this assistant may have in this run. One that rejects is left out, with a warning for the admin. */
  tools(assistant: Assistant, context: RunContext): Promise<readonly Tool[]>;
}

/** What a tool is, as its author writes it. */
export interface ToolSpec<Schema extends z.ZodType> {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string;
  /** For the model: what it does and when to use it. */
  readonly description: string;
  readonly input: Schema;
  /** `remote`: its results hold text of strangers (a web page, a file), which is framed as data. */
  readonly trust: 'local' | 'remote';
  /** Its results are pages of something longer, and never put aside into files themselves. */
  readonly paged?: true;
  /** It speaks to the person, or hands work on: nothing for sub-agents. */
  readonly forPeople?: true;
  /** Left out where there is no place for files, or no engine that runs commands. */
  readonly needs?: keyof WorkspaceMeans;
  /** Default: {@link DEFAULT_TOOL_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Resolves with what the model reads. May throw; the model is told the message of an {@link AntlerError}. */
  run(args: z.output<Schema>, context: ToolContext, signal: AbortSignal): string | Promise<string>;
}

/** A tool as the loop uses it. */
export interface Tool extends ToolDescription {
  readonly trust: 'local' | 'remote';
  /** Where it comes from, when it is not ours: an MCP server's name. Where there are many, such ones are only named. */
  readonly origin?: string;
  readonly paged?: true;
  readonly forPeople?: true;
  readonly needs?: keyof WorkspaceMeans;
  readonly timeoutMs: number;
  /** @throws AntlerError `bad_input` when the arguments do not fit; whatever the tool throws. */
  call(args: unknown, context: ToolContext, signal: AbortSignal): Promise<string>;
}

export const DEFAULT_TOOL_TIMEOUT_MS = 60_000;
/** For tools that see to their time themselves, from when their work begins; no timer waits longer than this. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Makes a tool of its description. The schema checks the arguments and tells the model what they are. */
export function defineTool<Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool {
  const { $schema: _, ...parameters } = z.toJSONSchema(spec.input, { io: 'input' });
  return {
    name: spec.name,
    description: spec.description,
    parameters,
    trust: spec.trust,
    ...(spec.paged === undefined ? {} : { paged: spec.paged }),
    ...(spec.forPeople === undefined ? {} : { forPeople: spec.forPeople }),
    ...(spec.needs === undefined ? {} : { needs: spec.needs }),
    timeoutMs: spec.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
    call: async (args, context, signal) => {
      const parsed = readArguments(spec.input, args);
      if (!parsed.success) throw new AntlerError('bad_input', z.prettifyError(parsed.error));
      return await spec.run(parsed.data, context, signal);
    },
  };
}
