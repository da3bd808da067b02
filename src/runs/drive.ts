import type { Clock } from '../base/clock.ts';
import { newRunId, type PersonId, type RunId } from '../base/ids.ts';
import { isAtLeast, type Role } from '../base/roles.ts';
import { say } from '../base/sentences.ts';
import type { Meter } from '../budgets/port.ts';
import type { Turn, TurnInput } from '../bus/port.ts';
import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { Arrivals } from '../files/port.ts';
import { wishesOf } from '../files/wishes.ts';
import type { Delegation } from '../harness/delegation/port.ts';
import type { FileInfo, HeardEntry, LogEntry, UserEntry } from '../harness/log.ts';
import type { Assistant, Harness, RunResult } from '../harness/port.ts';
import type { Scheduler } from '../harness/schedules/port.ts';
import type { Store } from '../store/port.ts';
import { labelled, withProgress } from './answer-text.ts';
import { withinBudget } from './budget-request.ts';
import { type AnswerAddress, alsoAnswering, draftOf } from './deliveries.ts';
import { DraftPump } from './draft-pump.ts';
import { ownerOf, speakerOf, userEntry } from './entries.ts';
import { runFiles } from './run-files.ts';
import { RunRecorder, type TokenCount } from './run-recorder.ts';
import type { Scene } from './scene.ts';
import type { Board } from './task-turn.ts';
import { readPayload, roleIn, type TurnPayload } from './turn-input.ts';

/** So often a board is looked at that may have something new to show. */
const BEAT_MS = 2_000;

interface DriveOptions extends Scene {
  /** The task that the turn is one of, and where its work is shown. Absent: the answer grows in the chat. */
  readonly task?: { readonly title: string; readonly board: Board };
  /** Where the run can hand work on. Absent: nowhere. */
  readonly delegation?: Delegation;
  readonly schedules?: Scheduler;
  readonly store: Store;
  readonly harness: Harness;
  readonly clock: Clock;
  readonly turn: Turn;
  readonly history: readonly LogEntry[];
  /** What was said near the bot before this turn; null: nothing that it does not know. */
  readonly heard: HeardEntry | null;
  /** What an earlier run of the turn has done. */
  readonly resumed: readonly LogEntry[];
  readonly arrivals: Arrivals;
  readonly meter: Pick<Meter, 'spend' | 'maxTokens'>;
  readonly assistant: Assistant;
  readonly timeZone: string;
  /** The newest speaker's person; null: they are not known. */
  readonly person: PersonId | null;
  /** Ends the run: the turn's own signal, or the time that a run may take. */
  readonly signal: AbortSignal;
}

export interface Driven {
  readonly runId: RunId;
  readonly result: RunResult;
  /** What the bot itself has to say besides the answer. */
  readonly notices: readonly string[];
  /** The files that the answer comes with. */
  readonly artifacts: readonly FileInfo[];
  /** Has any of the answer been shown while it grew? */
  readonly wasShown: boolean;
  /** The newest input that the run has heard. */
  readonly heardSeq: number;
  /** Of the answer, which is one to everything that the run has heard. */
  readonly address: AnswerAddress;
}

/**
 * Drives the harness for one turn: what it says is shown while it grows, what belongs into the log is written under
 * the run (and counts once the run has committed), what happened is noted for admins.
 */
export async function drive(options: DriveOptions): Promise<Driven> {
  const { turn, store, harness, clock, entry, last, assistant } = options;
  let { address } = options;
  const runId = newRunId();
  const recorder = new RunRecorder(store, clock, {
    id: runId,
    thread: turn.thread,
    assistant: assistant.id,
    model: assistant.model.name,
    firstSeq: address.firstSeq,
    startedAt: clock.now(),
  });
  const pace = entry.manifest.pace(address.target);
  const board = options.task?.board;
  const growing: Board['pumping'] = {
    show: (text) => turn.draft(draftOf(address, labelled(text, last.language, assistant.model.demo))),
    minIntervalMs: pace.minIntervalMs,
    typingLastsMs: entry.manifest.capabilities.typing ? pace.typingLastsMs : 0,
    streams: entry.manifest.capabilities.stream !== 'none',
  };
  const pump = new DraftPump({ ...(board?.pumping ?? growing), clock });
  let heardSeq = turn.inputs.at(-1)?.seq ?? 0;
  const notices: string[] = [];
  const artifacts: FileInfo[] = [];
  let text = '';
  let tokens: TokenCount = { inputTokens: 0, outputTokens: 0 };

  /** Messages as the log keeps them, once their files have come. */
  const entriesOf = async (messages: readonly InboundMessage[]): Promise<readonly UserEntry[]> => {
    const wishes = messages.flatMap((message) => wishesOf(message, turn.thread));
    const arrived = await options.arrivals.of(wishes, options.signal);
    const entries = messages.map((message) => userEntry(message, clock.now(), arrived));
    recorder.add(...entries);
    return entries;
  };

  /** What was said meanwhile, for the harness; it is this run's to keep and to acknowledge. */
  const steered = async (): Promise<readonly UserEntry[]> => {
    const inputs = await turn.steered();
    const payloads = inputs.map((one: TurnInput) => readPayload(one));
    const messages = payloads.map(({ message }) => message);
    // Before a word of theirs is heard: whoever speaks into the run has a say in what it may do.
    payloads.forEach(noteRole);
    const entries = await entriesOf(messages);
    address = alsoAnswering(
      address,
      messages.map(({ id }) => id),
    );
    heardSeq = inputs.at(-1)?.seq ?? heardSeq;
    return entries;
  };

  const roles: Record<string, Role> = {};
  const noteRole = (payload: TurnPayload): void => {
    const { id } = speakerOf(payload.message);
    const [known, next] = [roles[id], roleIn(payload)];
    // Of two roles in one turn (it was changed between) the lesser one counts.
    roles[id] = known === undefined || isAtLeast(known, next) ? next : known;
  };
  options.payloads.forEach(noteRole);

  const beat = board === undefined ? undefined : setInterval(() => pump.update(board.note({})), BEAT_MS);
  try {
    const heard = options.heard === null ? [] : [options.heard];
    recorder.add(...heard);
    const input = await entriesOf(options.payloads.map(({ message }) => message));
    recorder.add(...options.resumed);
    if (board !== undefined) pump.update(board.note({}));
    // However this ends, the run ends with it: it must not go on when what it does cannot be kept.
    await using run = harness.run({
      assistant: withinBudget(assistant, options.meter.maxTokens),
      context: {
        runId,
        threadId: turn.thread,
        speaker: speakerOf(last.message),
        ...(options.person === null ? {} : { person: options.person }),
        // Tasks of one chat go on side by side, and none into the other's files.
        owner: options.task === undefined ? ownerOf(last.message) : last.place,
        channel: entry.settings.name,
        chat: last.message.chat.id,
        language: last.language,
        roles,
        timeZone: options.timeZone,
        chatKind: last.message.chat.kind,
        ...(last.message.chat.title === undefined ? {} : { chatTitle: last.message.chat.title }),
        platform: entry.manifest.title,
        ...(options.task === undefined ? {} : { task: options.task.title }),
        ...(options.delegation === undefined ? {} : { delegation: options.delegation }),
        ...(options.schedules === undefined ? {} : { schedules: options.schedules }),
      },
      history: [...options.history, ...heard],
      input,
      resumed: options.resumed,
      signal: options.signal,
      steered,
      files: runFiles(store.files, clock, {
        thread: turn.thread,
        channel: entry.settings.name,
        chat: address.target.chat,
        owner: senderKey(last.message),
      }),
    });
    for (;;) {
      const step = await run.next();
      if (step.done === true) {
        pump.close(); // the whole answer is about to go out; a stand of it would only be in its way
        await recorder.end(step.value, tokens);
        return { runId, result: step.value, notices, artifacts, heardSeq, address, wasShown: pump.hasShown };
      }
      const event = step.value;
      switch (event.type) {
        case 'text':
          text = event.mode === 'append' ? text + event.text : event.text;
          if (board === undefined) pump.update(text);
          break;
        case 'notice':
          notices.push(say(last.language, event.sentence, event.values));
          break;
        case 'artifact':
          artifacts.push(event.file);
          recorder.note(event);
          break;
        case 'entry':
          recorder.add(event.entry);
          // A finished tool call is worth keeping at once; words alone can wait for the end.
          if (event.entry.kind === 'tool') await recorder.write();
          break;
        case 'usage':
          tokens = {
            inputTokens: tokens.inputTokens + event.inputTokens,
            outputTokens: tokens.outputTokens + event.outputTokens,
          };
          recorder.note(event);
          options.meter.spend(event);
          break;
        case 'title':
          await store.threads.rename(turn.thread, event.text);
          break;
        case 'progress':
          pump.update(board?.note({ doing: event.text }) ?? withProgress(text, event.text));
          break;
        case 'tool_start':
          if (board !== undefined) pump.update(board.note({ tool: event.name }));
          recorder.note(event);
          break;
        case 'model_start':
        case 'tool_end':
          recorder.note(event);
          break;
        default:
          event satisfies never;
      }
    }
  } finally {
    clearInterval(beat);
    pump.close();
  }
}
