import type { Clock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import { say } from '../base/sentences.ts';
import type { Turn } from '../bus/port.ts';
import type { LogEntry } from '../harness/log.ts';
import type { Assistant, Harness, HarnessEvent, RunResult } from '../harness/port.ts';
import type { RunEvent, Store } from '../store/port.ts';
import { labelled } from './answer-text.ts';
import { draftOf } from './deliveries.ts';
import { DraftPump } from './draft-pump.ts';
import { speakerOf, userEntry } from './entries.ts';
import type { Scene } from './scene.ts';

interface DriveOptions extends Scene {
  readonly store: Store;
  readonly harness: Harness;
  readonly clock: Clock;
  readonly turn: Turn;
  readonly runId: RunId;
  readonly history: readonly LogEntry[];
  readonly assistant: Assistant;
  readonly timeZone: string;
}

export interface Driven {
  readonly result: RunResult;
  /** What the bot itself has to say besides the answer. */
  readonly notices: readonly string[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/**
 * Drives the harness for one turn: what it says is shown while it grows, what belongs into the log is written under
 * the run (and counts once the run has committed), what happened is noted for admins.
 */
export async function drive(options: DriveOptions): Promise<Driven> {
  const { turn, runId, store, harness, clock, entry, last, address, assistant } = options;
  const pace = entry.manifest.pace(address.target);
  const pump = new DraftPump({
    show: (text) => turn.draft(draftOf(address, labelled(text, last.language, assistant.model.demo))),
    minIntervalMs: pace.minIntervalMs,
    typingLastsMs: entry.manifest.capabilities.typing ? pace.typingLastsMs : 0,
    streams: entry.manifest.capabilities.stream !== 'none',
    clock,
  });
  const input = options.payloads.map(({ message }) => userEntry(message));
  let unwritten: LogEntry[] = [...input];
  const events: RunEvent[] = [];
  const notices: string[] = [];
  let text = '';
  let usage = { inputTokens: 0, outputTokens: 0 };

  const write = async (): Promise<void> => {
    const entries = unwritten;
    unwritten = [];
    if (entries.length > 0) await store.log.append(turn.thread, runId, entries);
  };
  const note = (event: HarnessEvent): void => {
    const { type, ...data } = event;
    events.push({ seq: events.length, at: clock.now(), type, data });
  };

  try {
    const run = harness.run({
      assistant,
      context: {
        runId,
        threadId: turn.thread,
        speaker: speakerOf(last.message),
        language: last.language,
        timeZone: options.timeZone,
        chatKind: last.message.chat.kind,
        ...(last.message.chat.title === undefined ? {} : { chatTitle: last.message.chat.title }),
        platform: entry.manifest.title,
      },
      history: options.history,
      input,
      signal: turn.signal,
    });
    for (;;) {
      const step = await run.next();
      if (step.done === true) {
        await write();
        if (events.length > 0) await store.runs.addEvents(runId, events);
        return { result: step.value, notices, usage };
      }
      const event = step.value;
      switch (event.type) {
        case 'text':
          text = event.mode === 'append' ? text + event.text : event.text;
          pump.update(text);
          break;
        case 'notice':
          notices.push(say(last.language, event.sentence, event.values));
          break;
        case 'entry':
          unwritten.push(event.entry);
          // A finished tool call is worth keeping at once; words alone can wait for the end.
          if (event.entry.kind === 'tool') await write();
          break;
        case 'usage':
          usage = {
            inputTokens: usage.inputTokens + event.inputTokens,
            outputTokens: usage.outputTokens + event.outputTokens,
          };
          note(event);
          break;
        case 'model_start':
        case 'tool_start':
        case 'tool_end':
          note(event);
          break;
        default:
          event satisfies never;
      }
    }
  } finally {
    pump.close();
  }
}
