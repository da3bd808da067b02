import { type Clock, systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { createHarness } from '../index.ts';
import type { LogEntry, UserEntry } from '../log.ts';
import type { Assistant, Harness, HarnessEvent, ModelConfig, RunContext, RunRequest, RunResult } from '../port.ts';

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
  language: 'en',
  timeZone: 'Asia/Shanghai',
  chatKind: 'dm',
  platform: 'Telegram',
};

export function assistantWith(model: ModelConfig, more: Partial<Assistant> = {}): Assistant {
  return { id: 'lead', soul: 'You are Antler.', model, fallbacks: [], tools: ['all'], maxSteps: 10, ...more };
}

export interface Outcome {
  readonly events: readonly HarnessEvent[];
  readonly result: RunResult;
  /** What stood in the chat after each text event. */
  readonly screens: readonly string[];
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
