import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import { newRunId, type RunId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { isAtLeast, type Role } from '../base/roles.ts';
import { type Language, say } from '../base/sentences.ts';
import type { Budgets } from '../budgets/port.ts';
import { abortReason } from '../bus/abort.ts';
import type { NewDelivery, Turn, TurnHandler, TurnOutcome } from '../bus/port.ts';
import { type ChannelBook, OVERHEARD_FOR_MS } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';
import { senderKey } from '../channel/message.ts';
import type { Button, FileRef } from '../channel/port.ts';
import type { Arrivals } from '../files/port.ts';
import { linkMentions } from '../format/index.ts';
import type { Delegation } from '../harness/delegation/port.ts';
import type { FileInfo, LogEntry } from '../harness/log.ts';
import type { Assistant, Harness } from '../harness/port.ts';
import type { Scheduler } from '../harness/schedules/port.ts';
import type { Memory } from '../memory/port.ts';
import type { JobNotice } from '../store/memory/port.ts';
import type { OverheardMessage, Store } from '../store/port.ts';
import type { Stand } from '../tasks/card.ts';
import type { Delegating } from '../tasks/delegate.ts';
import type { Task } from '../tasks/port.ts';
import { answerText, labelled } from './answer-text.ts';
import { budgetRequest } from './budget-request.ts';
import { buttonsOf } from './choices.ts';
import { type AnswerAddress, fileDeliveries, finalDeliveries } from './deliveries.ts';
import { drive } from './drive.ts';
import { heardEntry } from './heard.ts';
import { memoryNotice } from './memory-notice.ts';
import { mentionable } from './mentionable.ts';
import { workDone } from './resume.ts';
import { runFiles } from './run-files.ts';
import { type Scene, sceneOf } from './scene.ts';
import { calledTask, shortened, taskAddress, taskText } from './task-answer.ts';
import { createTaskTurns, type TaskEnd, taskEnd } from './task-turn.ts';
import { type RunWishes, roleIn, type TurnPayload } from './turn-input.ts';

export interface ReadyAssistant {
  readonly assistant: Assistant;
  /** IANA name. */
  readonly timeZone: string;
  /** How long one run may take, in milliseconds. */
  readonly maxRunMs: number;
}

/** In which turn something is scheduled. */
export interface Scheduling {
  readonly message: InboundMessage;
  readonly role: Role;
  readonly language: Language;
  /** IANA name. */
  readonly timeZone: string;
}

export interface TurnHandlerOptions {
  /** Where runs have things done later. Absent: nowhere. */
  readonly scheduling?: (turn: Scheduling) => Scheduler;
  readonly store: Store;
  readonly harness: Harness;
  readonly channels: ChannelBook;
  readonly arrivals: Arrivals;
  readonly budgets: Pick<Budgets, 'admit'>;
  /** Is told of what was said. Absent: nothing is remembered. */
  readonly memory?: Pick<Memory, 'noticed'>;
  /** The assistant ready to run, as it is wanted, for people of these roles; null when no model is connected. */
  readonly assistant: (id: string, wishes: RunWishes, roles: readonly Role[]) => Promise<ReadyAssistant | null>;
  /** A task has come to its end. Absent: nobody waits for that. */
  readonly taskEnded?: (task: Task) => Promise<void>;
  /** Where a turn's run can hand work on. Absent: nowhere. */
  readonly handingOn?: (turn: Omit<Delegating, 'others'>) => Delegation;
  readonly log: Logger;
  readonly clock: Clock;
}

/** What a run has come to, for people. */
interface Ended {
  readonly address: AnswerAddress;
  readonly text: string;
  readonly artifacts: readonly FileRef[];
  readonly buttons: readonly Button[];
  readonly at: number;
}

interface EndedTask extends Ended {
  readonly run: RunId;
  readonly end: TaskEnd;
  readonly stand: Omit<Stand, 'now'>;
}

/** The newest entries of a thread that a run looks at; what the model sees of them is cut to its window besides. */
const HISTORY_ENTRIES = 400;
const RETRY_DELAY_MS = 2_000;
/** Runs of a process that are about to be committed; more than it ever works on at once. */
const COMMITTING_MOST = 1_000;

/** The worker's part of the way of a message: a thread's waiting inputs in, the harness driven, one commit out. */
export function createTurnHandler(options: TurnHandlerOptions): TurnHandler {
  const { store, channels, log, clock } = options;
  /** What the memory is told once the run counts. */
  const notices = new BoundedMap<RunId, JobNotice>(COMMITTING_MOST);
  /** What need not be kept any more once the run counts: it stands in the log. */
  const told = new BoundedMap<RunId, readonly OverheardMessage[]>(COMMITTING_MOST);
  const taskTurns = createTaskTurns({ tasks: store.tasks, ended: options.taskEnded ?? (async () => {}), clock, log });

  async function run(turn: Turn): Promise<TurnOutcome> {
    const found = sceneOf(turn, channels);
    if (found === null)
      return { kind: 'retry', delayMs: RETRY_DELAY_MS, error: 'the channel of this turn is not configured' };
    const { task } = found.last;
    if (task === undefined) return runScene(turn, found, null);
    const begun = await taskTurns.begin(task, found.last.assistantId);
    if (begun === null) return answered(turn, found, null, '');
    return runScene(turn, { ...found, address: taskAddress(found.address, begun) }, begun);
  }

  async function runScene(turn: Turn, scene: Scene, task: Task | null): Promise<TurnOutcome> {
    const found = await options.assistant(scene.last.assistantId, scene.last.wishes ?? {}, scene.payloads.map(roleIn));
    if (found === null) return answered(turn, scene, task, say(scene.last.language, 'model_missing'));

    const admitted = await options.budgets.admit(budgetRequest(turn, scene, found));
    if (admitted.kind === 'stop') return answered(turn, scene, task, admitted.text ?? '');
    await using meter = admitted.meter;

    const { thread, lastCommit } = turn;
    const [history, resumed, user, overheard] = await Promise.all([
      store.log.read(thread, HISTORY_ENTRIES, lastCommit),
      workDone(store, thread, scene.address.firstSeq, lastCommit),
      store.imUsers.get(senderKey(scene.last.message)),
      readAlong(scene),
      // Mostly done already; what it changes, the others see without it.
      store.runs.settle(thread, lastCommit),
    ]);
    const person = user?.person ?? null;
    const limit = AbortSignal.timeout(found.maxRunMs);
    const signal = AbortSignal.any([turn.signal, limit]);
    const heard = heardEntry({ history, overheard, ...scene }, clock.now());
    const board = task === null ? null : taskTurns.boardOf(task, scene.entry, turn);
    const driven = await drive({
      ...(task === null || board === null ? {} : { task: { title: calledTask(task), board } }),
      ...delegationOf(scene, history, task),
      ...schedulesOf(scene, found.timeZone),
      ...options,
      turn,
      history,
      heard,
      resumed,
      person,
      signal,
      meter,
      ...found,
      ...scene,
    });
    const { runId, result } = driven;
    if (overheard.length > 0) told.set(runId, overheard);
    if (person !== null) notices.set(runId, memoryNotice(thread, scene, person));
    const remarks = [...driven.notices, ...(await meter.end())];
    if (result.status === 'failed') log.warn({ run: runId, code: result.code, detail: result.detail }, 'run failed');
    const aborted = abortReason(turn.signal);
    // Nobody asked for an end: the worker stops or lost the turn, and another one goes on with it.
    if (aborted === 'shutdown' || aborted === 'fenced') return { kind: 'release' };
    const { language } = scene.last;
    const ending = aborted ?? (limit.aborted ? 'timeout' : null);
    const text = answerText(result, { notices: remarks, language, ending, maxRunMs: found.maxRunMs });
    const shown = labelled(withMentions(text, history, scene), language, found.assistant.model.demo);
    // Nobody waits for half an answer that something newer has made void, unless it stands there already.
    const isVoid = ending === 'interrupt' && !driven.wasShown;
    if (isVoid) return { kind: 'done', commit: runId, ackSeq: driven.heardSeq, deliveries: [] };
    const at = clock.now();
    const buttons = result.status === 'asked' && result.choice !== undefined ? buttonsOf(result.choice) : [];
    const { address } = driven;
    const ended = { address, text: shown, artifacts: driven.artifacts, buttons, at };
    const deliveries =
      task === null || board === null
        ? answerDeliveries(ended, language)
        : await taskDeliveries(task, { ...ended, run: runId, end: taskEnd(result.status, ending), stand: board.stand });
    return { kind: 'done', commit: runId, ackSeq: driven.heardSeq, deliveries };
  }

  /** What was said there meanwhile that was not to the bot. */
  async function readAlong({ payloads }: Scene): Promise<readonly OverheardMessage[]> {
    const places = new Set(payloads.flatMap(({ hearing }) => hearing ?? []));
    const since = clock.now() - OVERHEARD_FOR_MS;
    return (await Promise.all([...places].map((place) => store.overheard.list(place, since)))).flat();
  }

  /** Without a run: the bot's own words to all that waits; nothing to say is said by an empty text. */
  async function answered(turn: Turn, { address }: Scene, task: Task | null, text: string): Promise<TurnOutcome> {
    const run = newRunId();
    const ended = { address, text, artifacts: [], buttons: [], at: clock.now() };
    const deliveries =
      task === null
        ? finalDeliveries(address, text, ended.at)
        : await taskDeliveries(task, { ...ended, run, end: 'fail', stand: {} });
    return { kind: 'done', commit: run, ackSeq: turn.inputs.at(-1)?.seq ?? 0, deliveries };
  }

  function answerDeliveries({ address, text, artifacts, buttons, at }: Ended, language: Language): NewDelivery[] {
    const texts = finalDeliveries(address, text, at, buttons);
    return [...texts, ...fileDeliveries(address, artifacts, { language, isReply: texts.length === 0, at })];
  }

  /** The result of a task, short, with the whole as a file; or its question; and its card as it is from now on. */
  async function taskDeliveries(task: Task, ended: EndedTask): Promise<readonly NewDelivery[]> {
    const { address, text, run } = ended;
    const { entry } = address;
    // What it has handed on is not done: it hears of that, and only then tells what came of all.
    const waits = ended.end === 'finish' && (await taskTurns.hasParts(task));
    const end = waits ? 'ask' : ended.end;
    const stand = waits ? { ...ended.stand, doing: say(task.language, 'task_waits_parts') } : ended.stand;
    const card = await taskTurns.end(task, entry, run, { end, text, stand });
    // Who has split a task tells of its parts.
    if (end === null || waits || (task.parent !== null && end === 'finish'))
      return [...answerDeliveries({ ...ended, text: '' }, task.language), ...card];
    const short = shortened(text, task.language);
    const whole = short === null ? [] : [await wholeFile(task, text)];
    const shown = taskText(short ?? text, task, entry, end === 'ask');
    const artifacts = [...ended.artifacts, ...whole];
    return [...answerDeliveries({ ...ended, text: shown, artifacts }, task.language), ...card];
  }

  const wholeFile = (task: Task, text: string): Promise<FileInfo> => {
    const { thread, channel, chat, requester: owner } = task;
    const files = runFiles(store.files, clock, { thread, channel, chat, owner });
    return files.add({ kind: 'file', name: `${task.title}.md`, mime: 'text/markdown' }, Buffer.from(text));
  };

  function schedulesOf({ last: { message, language }, payloads }: Scene, timeZone: string) {
    if (options.scheduling === undefined) return {};
    return { schedules: options.scheduling({ message, language, timeZone, role: leastRole(payloads) }) };
  }

  function delegationOf({ last, payloads }: Scene, history: readonly LogEntry[], parent: Task | null) {
    if (options.handingOn === undefined) return {};
    const { message, language, assistantId: assistant } = last;
    const people = mentionable(history, payloads);
    return {
      delegation: options.handingOn({ message, role: leastRole(payloads), language, assistant, people, parent }),
    };
  }

  async function forget(messages: readonly OverheardMessage[]): Promise<void> {
    const [first] = messages;
    if (first === undefined) return;
    await store.overheard.remove(
      first.channel,
      first.chat,
      messages.map(({ id }) => id),
    );
  }

  /** In a group the answer may call people by name. What is still growing calls nobody. */
  function withMentions(text: string, history: readonly LogEntry[], { entry, address, payloads }: Scene): string {
    const calls = entry.manifest.capabilities.mentions && address.target.chatKind === 'group';
    return linkMentions(text, calls ? mentionable(history, payloads) : new Map());
  }

  return {
    run: (turn) =>
      run(turn).catch((error: unknown): TurnOutcome => {
        const { message, code, retryable, retryAfterMs } = asAntlerError(error);
        log.error(
          { thread: turn.thread, attempt: turn.attempt, code, err: error },
          'turn failed, it will be tried again',
        );
        return {
          kind: 'retry',
          delayMs: retryAfterMs ?? RETRY_DELAY_MS * 2 ** Math.min(turn.attempt, 5),
          error: message,
          // What fails and may pass here is the store; models that fail have an answer of their own.
          isBlameless: retryable,
        };
      }),
    committed: async (thread, commit) => {
      try {
        await store.runs.settle(thread, commit);
      } catch (error) {
        log.warn({ thread, run: commit, err: error }, 'a run that counts is marked so at the next turn only');
      }
      await forget(told.get(commit) ?? []).catch((error: unknown) => {
        log.warn({ thread, run: commit, err: error }, 'what was read along is kept on; it is told once all the same');
      });
      await taskTurns.committed(commit).catch((error: unknown) => {
        log.warn({ thread, run: commit, err: error }, 'what became of a task is noted only when it is looked after');
      });
      told.delete(commit);
      const notice = notices.get(commit);
      notices.delete(commit);
      if (notice === undefined) return;
      await options.memory?.noticed(notice).catch((error: unknown) => {
        log.warn({ thread, run: commit, err: error }, 'what was said is learnt from only after the next message');
      });
    },
    giveUp: async (turn, error): Promise<readonly NewDelivery[]> => {
      log.error({ thread: turn.thread, attempts: turn.attempt, error }, 'turn given up');
      const scene = sceneOf(turn, channels);
      if (scene === null) return [];
      const { entry, last } = scene;
      const words = say(last.language, 'run_failed', { code: 'internal' });
      const task = last.task === undefined ? null : await store.tasks.get(last.task);
      if (task === null) return finalDeliveries(scene.address, words, clock.now());
      const address = taskAddress(scene.address, task);
      const texts = finalDeliveries(address, taskText(words, task, entry, false), clock.now());
      return [...texts, ...(await taskTurns.giveUp(task.id, entry))];
    },
  };
}

/** Who speaks along has a say in what is done, and no more rights than the least of them. */
const leastRole = (payloads: readonly TurnPayload[]): Role =>
  payloads.map(roleIn).reduce((least, next) => (isAtLeast(least, next) ? next : least));
