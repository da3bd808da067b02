import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import { newRunId, type RunId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Role } from '../base/roles.ts';
import { say } from '../base/sentences.ts';
import type { Budgets } from '../budgets/port.ts';
import { abortReason } from '../bus/abort.ts';
import type { NewDelivery, Turn, TurnHandler, TurnOutcome } from '../bus/port.ts';
import { type ChannelBook, OVERHEARD_FOR_MS } from '../channel/book.ts';
import { senderKey } from '../channel/message.ts';
import type { Arrivals } from '../files/port.ts';
import { linkMentions } from '../format/index.ts';
import type { LogEntry } from '../harness/log.ts';
import type { Assistant, Harness } from '../harness/port.ts';
import type { Memory } from '../memory/port.ts';
import type { JobNotice } from '../store/memory/port.ts';
import type { OverheardMessage, Store } from '../store/port.ts';
import { answerText, labelled } from './answer-text.ts';
import { budgetRequest } from './budget-request.ts';
import { buttonsOf } from './choices.ts';
import { fileDeliveries, finalDeliveries } from './deliveries.ts';
import { drive } from './drive.ts';
import { heardEntry } from './heard.ts';
import { memoryNotice } from './memory-notice.ts';
import { mentionable } from './mentionable.ts';
import { workDone } from './resume.ts';
import { type Scene, sceneOf } from './scene.ts';
import { type RunWishes, roleIn } from './turn-input.ts';

export interface ReadyAssistant {
  readonly assistant: Assistant;
  /** IANA name. */
  readonly timeZone: string;
  /** How long one run may take, in milliseconds. */
  readonly maxRunMs: number;
}

export interface TurnHandlerOptions {
  readonly store: Store;
  readonly harness: Harness;
  readonly channels: ChannelBook;
  readonly arrivals: Arrivals;
  readonly budgets: Pick<Budgets, 'admit'>;
  /** Is told of what was said. Absent: nothing is remembered. */
  readonly memory?: Pick<Memory, 'noticed'>;
  /** The assistant ready to run, as it is wanted, for people of these roles; null when no model is connected. */
  readonly assistant: (id: string, wishes: RunWishes, roles: readonly Role[]) => Promise<ReadyAssistant | null>;
  readonly log: Logger;
  readonly clock: Clock;
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

  async function run(turn: Turn): Promise<TurnOutcome> {
    const scene = sceneOf(turn, channels);
    if (scene === null)
      return { kind: 'retry', delayMs: RETRY_DELAY_MS, error: 'the channel of this turn is not configured' };
    const found = await options.assistant(scene.last.assistantId, scene.last.wishes ?? {}, scene.payloads.map(roleIn));
    if (found === null) return answered(turn, scene, say(scene.last.language, 'model_missing'));

    const admitted = await options.budgets.admit(budgetRequest(turn, scene, found));
    if (admitted.kind === 'stop') return answered(turn, scene, admitted.text ?? '');
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
    const driven = await drive({
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
    const texts = finalDeliveries(driven.address, shown, at, buttons);
    const files = fileDeliveries(driven.address, driven.artifacts, { language, isReply: texts.length === 0, at });
    const deliveries = [...texts, ...files];
    return { kind: 'done', commit: runId, ackSeq: driven.heardSeq, deliveries };
  }

  /** What was said there meanwhile that was not to the bot. */
  async function readAlong({ payloads }: Scene): Promise<readonly OverheardMessage[]> {
    const places = new Set(payloads.flatMap(({ hearing }) => hearing ?? []));
    const since = clock.now() - OVERHEARD_FOR_MS;
    return (await Promise.all([...places].map((place) => store.overheard.list(place, since)))).flat();
  }

  /** Without a run: the bot's own words to all that waits; nothing to say is said by an empty text. */
  const answered = (turn: Turn, { address }: Scene, text: string): TurnOutcome => ({
    kind: 'done',
    commit: newRunId(),
    ackSeq: turn.inputs.at(-1)?.seq ?? 0,
    deliveries: finalDeliveries(address, text, clock.now()),
  });

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
      return finalDeliveries(scene.address, say(scene.last.language, 'run_failed', { code: 'internal' }), clock.now());
    },
  };
}
