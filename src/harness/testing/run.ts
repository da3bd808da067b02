import { type Clock, systemClock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { newFileId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { createHarness } from '../index.ts';
import type { FileInfo, LogEntry, UserEntry } from '../log.ts';
import type {
  Assistant,
  FileAccess,
  Harness,
  HarnessEvent,
  ModelConfig,
  RunContext,
  RunRequest,
  RunResult,
} from '../port.ts';

/** A clock that does not wait, and remembers for how long it was asked to. */
export function impatientClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: systemClock.now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
    },
  };
}

/** One without waits, which knows nothing yet of any endpoint. */
export const newHarness = (clock: Clock = impatientClock()): Harness => createHarness({ log: silentLogger, clock });

export const ann = { id: 'telegram//7', name: 'Ann' };

export const userSays = (text: string, speaker = ann): UserEntry => ({
  kind: 'user',
  id: `m-${text}`,
  at: Date.UTC(2026, 2, 1),
  text,
  speaker,
});

export const runContext: RunContext = {
  runId: 'r1',
  threadId: 't1',
  speaker: ann,
  owner: ann.id,
  language: 'en',
  channel: 'telegram',
  chat: '7',
  timeZone: 'Asia/Shanghai',
  chatKind: 'dm',
  platform: 'Telegram',
};

export function assistantWith(model: ModelConfig, more: Partial<Assistant> = {}): Assistant {
  return { id: 'lead', soul: 'You are Antler.', model, fallbacks: [], tools: ['all'], maxSteps: 10, ...more };
}

/** Where there are none. */
export const noFiles: FileAccess = {
  read: async () => {
    throw new AntlerError('not_found', 'there are no files here');
  },
  add: async () => {
    throw new AntlerError('unsupported', 'files are not kept here');
  },
};

/** Files in memory. */
export function filesWith(...known: readonly (readonly [FileInfo, Uint8Array])[]): FileAccess {
  const contents = new Map(known.map(([{ id }, content]) => [id, content]));
  return {
    read: async (id) => contents.get(id) ?? noFiles.read(id, new AbortController().signal),
    add: async (file, content) => {
      const added = { ...file, id: newFileId(), bytes: content.byteLength };
      contents.set(added.id, content);
      return added;
    },
  };
}

export interface Outcome {
  readonly events: readonly HarnessEvent[];
  readonly result: RunResult;
  /** What stood in the chat after each text event. */
  readonly screens: readonly string[];
  /** What the run has added to the log, but for the title of a new conversation. */
  readonly entries: readonly LogEntry[];
}

export interface TurnOptions {
  readonly harness?: Harness;
  readonly clock?: Clock;
  readonly request?: Partial<RunRequest>;
  readonly onEvent?: (event: HarnessEvent) => void;
}

/** Runs a turn to its end. */
export async function runTurn(assistant: Assistant, text: string, options: TurnOptions = {}): Promise<Outcome> {
  const harness = options.harness ?? newHarness(options.clock);
  const run = harness.run({
    assistant,
    context: runContext,
    history: [],
    input: [userSays(text)],
    signal: new AbortController().signal,
    files: noFiles,
    ...options.request,
  });
  const events: HarnessEvent[] = [];
  const screens: string[] = [];
  for (;;) {
    const next = await run.next();
    if (next.done === true) {
      const entries = events.flatMap((event) => (event.type === 'entry' ? [event.entry] : []));
      return { events, result: next.value, screens, entries };
    }
    const event = next.value;
    events.push(event);
    if (event.type === 'text')
      screens.push(event.mode === 'replace' ? event.text : (screens.at(-1) ?? '') + event.text);
    options.onEvent?.(event);
  }
}
