import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AntlerError, asAntlerError } from '../../base/errors.ts';
import type { ThreadId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { type AbortReason, abortError } from '../abort.ts';
import { backoffMs } from '../backoff.ts';
import { ALONE_PATIENCE_MS, countedAttempts } from '../company.ts';
import type {
  CancelReason,
  NewDelivery,
  NewDraft,
  Places,
  TurnHandler,
  TurnInput,
  TurnOutcome,
  Working,
  WorkOptions,
} from '../port.ts';
import type { Agenda } from './agenda.ts';
import type { DeadLetterTable } from './dead-letters.ts';
import type { After, Claimed, Inbox, WaitingThread } from './inbox.ts';
import { closedError } from './journal.ts';
import type { PausedChannels } from './paused.ts';
import type { Persistence } from './persist.ts';
import { createReadyQueue, type Seat } from './ready.ts';

/** Where runs put what they say. */
export interface RunOutput {
  /** A step: stores the deliveries. */
  add(deliveries: readonly NewDelivery[]): void;
  /** After the commit: sends what was stored. */
  wake(deliveries: readonly NewDelivery[]): void;
  /** Shows a draft for as long as `alive` says so. */
  draft(draft: NewDraft, alive: () => boolean): void;
}

export interface WorkerParts {
  readonly inbox: Inbox;
  readonly deadLetters: DeadLetterTable;
  readonly output: RunOutput;
  readonly places: Places;
  readonly paused: PausedChannels;
  readonly persistence: Persistence;
  readonly agenda: Agenda;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Takes turns and carries out what becomes of them. */
export interface Worker {
  start(handler: TurnHandler, options: WorkOptions): Working;
  /** The thread waits for a run. Nothing is done while its channel is paused. */
  wake(waiting: WaitingThread): void;
  /** The thread waits for nothing any more. */
  forget(thread: ThreadId): void;
  /** Something has come that the thread's run may be steered by. */
  nudge(thread: ThreadId): void;
  cancel(thread: ThreadId, reason: CancelReason): boolean;
  /** Takes no turn any more. */
  stop(): void;
  /** Resolves when no run is left. */
  drained(): Promise<void>;
  /** Asks the runs to end. */
  abort(): void;
  /** Waits for no handler any more; what it has not finished is queued again. */
  handOver(): void;
}

interface Run {
  readonly thread: ThreadId;
  readonly claimed: Claimed;
  readonly controller: AbortController;
  /** The handler is still at it. */
  active: boolean;
  /** There may be something to steer the run by. */
  nudged: boolean;
  /** What the run was handed after it had begun. */
  readonly steered: TurnInput[];
}

interface Job {
  readonly handler: TurnHandler;
  readonly options: WorkOptions;
}

const HERMIT_ALARM = 'hermit';

const release: TurnOutcome = { kind: 'release' };

export function createWorker(parts: WorkerParts): Worker {
  const { inbox, deadLetters, output, paused, agenda, clock, log } = parts;
  const { persist } = parts.persistence;
  const ready = createReadyQueue<ThreadId>(parts.places);
  const runs = new Map<ThreadId, Run>();
  /** Cancels that came between the commit of a claim and the beginning of its run. */
  const early = new Map<ThreadId, { readonly fence: number; readonly reason: CancelReason }>();
  const tasks = new Set<Promise<void>>();
  /** Ends the waiting for a handler; one entry for each. */
  const cuts = new Set<() => void>();
  /** Tasks whose turn is over, and whose hand is free as soon as what they write now is stored. */
  let leaving = 0;
  /** The turn that waits until it is alone here; no other begins meanwhile. */
  let hermit: { readonly item: ThreadId; readonly seat: Seat } | null = null;
  let alone = false;
  let job: Job | null = null;
  let ending: AbortReason | null = null;
  let stopped = false;
  let cutOff = false;

  /** What a handler comes to; null when nobody waits for it any more. */
  const unlessCut = <Result>(handling: Promise<Result>): Promise<Result | null> =>
    new Promise((resolve, reject) => {
      const cut = (): void => resolve(null);
      if (cutOff) cut();
      cuts.add(cut);
      handling.then(resolve, reject).finally(() => cuts.delete(cut));
    });

  const alarmOf = (thread: ThreadId): string => `turn ${thread}`;

  const wake = (waiting: WaitingThread): void => {
    const { thread, due } = waiting;
    if (due > clock.now()) {
      agenda.set(alarmOf(thread), due, () => wake({ ...waiting, due: 0 }));
      return;
    }
    agenda.delete(alarmOf(thread));
    // It is woken again by the resume.
    if (paused.has(waiting.channel)) return;
    ready.add(thread, waiting);
    pump();
  };

  const pump = (): void => {
    while (job !== null && !stopped && !alone && tasks.size - leaving < job.options.concurrency) {
      const next = hermit ?? ready.take();
      if (next === undefined) return;
      const suspect = inbox.isSuspect(next.item, job.options.maxAttempts);
      if (suspect && tasks.size > 0) {
        if (hermit === null) agenda.set(HERMIT_ALARM, clock.now() + ALONE_PATIENCE_MS, putHermitBack);
        hermit = next;
        return;
      }
      agenda.delete(HERMIT_ALARM);
      hermit = null;
      alone = suspect;
      begin(next.item, next.seat, job);
    }
  };

  /** Others go before it, as it is not alone yet. */
  const putHermitBack = (): void => {
    if (hermit === null) return;
    const { item, seat } = hermit;
    hermit = null;
    ready.giveBack(seat);
    ready.add(item, seat);
    pump();
  };

  const begin = (thread: ThreadId, seat: Seat, mine: Job): void => {
    const task = takeTurn(thread, mine)
      .catch((error: unknown) => {
        // Only a bus that was closed meanwhile gets here; the next start finds the thread running and queues it.
        log.warn({ thread, err: error }, 'a turn was left to the next start');
      })
      .finally(() => {
        tasks.delete(task);
        // If it was alone, none has begun beside it.
        alone = false;
        ready.giveBack(seat);
        pump();
      });
    tasks.add(task);
  };

  /** The last write of a turn. What takes its hand over is claimed in the same transaction. */
  const leave = async <Result>(step: () => Result): Promise<Result> => {
    const written = persist(step);
    leaving++;
    pump();
    try {
      return await written;
    } finally {
      leaving--;
    }
  };

  const takeTurn = async (thread: ThreadId, { handler, options }: Job): Promise<void> => {
    const claimed = await persist(() => inbox.claim(thread, options.maxAttempts, clock.now()));
    if (claimed === null) return;
    const controller = new AbortController();
    const run: Run = { thread, claimed, controller, active: !claimed.doomed, nudged: true, steered: [] };
    runs.set(thread, run);
    try {
      if (claimed.doomed) await giveUp(run, handler, claimed.attempt, claimed.error ?? 'The worker died.');
      else await perform(run, handler, options);
    } finally {
      if (runs.get(thread) === run) runs.delete(thread);
    }
  };

  const perform = async (run: Run, handler: TurnHandler, options: WorkOptions): Promise<void> => {
    const asked = early.get(run.thread);
    early.delete(run.thread);
    if (asked?.fence === run.claimed.fence) run.controller.abort(abortError(asked.reason));
    if (ending !== null) run.controller.abort(abortError(ending));
    const outcome = (await unlessCut(outcomeOf(run, handler))) ?? release;
    // From here on the run cannot be cancelled, takes nothing and shows nothing more.
    run.active = false;
    try {
      await carryOut(run, outcome, handler, options);
    } catch (error) {
      // What cannot be stored (a value that no JSON or column can hold) is the turn's failure, not the bus's.
      if (asAntlerError(error).retryable) throw error;
      await carryOut(run, failureOf(run, error), handler, options);
    }
  };

  const steer = async (run: Run): Promise<readonly TurnInput[]> => {
    if (!run.active || !run.nudged) return [];
    run.nudged = false;
    const taken = await persist(() => inbox.steer(run.thread, run.claimed.fence));
    run.steered.push(...taken);
    return taken;
  };

  const outcomeOf = async (run: Run, handler: TurnHandler): Promise<TurnOutcome> => {
    const { thread, claimed, controller } = run;
    const { chat, inputs, attempt, lastCommit } = claimed;
    try {
      return await handler.run({
        thread,
        chat,
        inputs,
        attempt,
        lastCommit,
        signal: controller.signal,
        steered: () => steer(run),
        draft: async (draft) => {
          if (run.active) output.draft(draft, () => run.active);
        },
      });
    } catch (error) {
      // A run that was cut off by the shutdown has not failed.
      if (controller.signal.aborted && ending === 'shutdown') return release;
      return failureOf(run, error);
    }
  };

  const failureOf = (run: Run, error: unknown): TurnOutcome => {
    const { attempt } = run.claimed;
    log.warn({ thread: run.thread, attempt, err: error }, 'a turn failed');
    return { kind: 'retry', delayMs: backoffMs(attempt, error), error: asAntlerError(error).message };
  };

  const carryOut = async (run: Run, outcome: TurnOutcome, handler: TurnHandler, options: WorkOptions) => {
    const { thread, claimed } = run;
    switch (outcome.kind) {
      case 'done': {
        const { commit, ackSeq, deliveries } = outcome;
        const after = await leave(() => {
          const committed = inbox.commit(thread, claimed.fence, commit, ackSeq, clock.now());
          if (committed.first) output.add(deliveries);
          return committed;
        });
        goOn(run, after);
        if (after.left === 'fenced') return;
        output.wake(deliveries);
        await handler.committed?.(thread, commit);
        return;
      }
      case 'release':
        return letGo(run);
      case 'retry': {
        const { error, isBlameless = false } = outcome;
        const attempt = claimed.attempt + (isBlameless ? 0 : 1);
        if (!isBlameless && countedAttempts(claimed) + 1 >= options.maxAttempts)
          return giveUp(run, handler, attempt, error);
        const due = clock.now() + Math.ceil(Math.max(0, outcome.delayMs));
        goOn(run, await leave(() => inbox.fail(thread, claimed.fence, { attempt, error, due }, clock.now())));
        return;
      }
      default:
        throw outcome satisfies never;
    }
  };

  const letGo = async (run: Run): Promise<void> => {
    goOn(run, await leave(() => inbox.release(run.thread, run.claimed.fence, clock.now())));
  };

  const giveUp = async (run: Run, handler: TurnHandler, attempt: number, error: string): Promise<void> => {
    const { thread, claimed } = run;
    const { chat, lastCommit } = claimed;
    const inputs = [...claimed.inputs, ...run.steered];
    const askWords = async (): Promise<readonly NewDelivery[]> => {
      try {
        return await handler.giveUp({ thread, chat, inputs, attempt, lastCommit }, error);
      } catch (thrown) {
        log.error({ thread, err: thrown }, 'giving a turn up failed; its sender is not told');
        return [];
      }
    };
    // Where telling the sender has ended the process, it is not tried again.
    const words = claimed.guilty === 'tell' ? [] : await unlessCut(askWords());
    if (words === null) return letGo(run);
    log.warn({ thread, attempt, error }, 'a turn is given up');
    try {
      await bury(run, error, words);
    } catch (thrown) {
      if (asAntlerError(thrown).retryable) throw thrown;
      log.error({ thread, err: thrown }, 'the words of giving up cannot be stored; the sender is not told');
      await bury(run, error, []);
    }
  };

  const bury = async (run: Run, error: string, words: readonly NewDelivery[]): Promise<void> => {
    const after = await persist((): After => {
      const buried = inbox.bury(run.thread, run.claimed.fence, clock.now());
      if (buried === null) return { left: 'fenced', wake: null };
      deadLetters.addTurn(run.thread, buried.owner, buried.inputs, error, clock.now());
      output.add(words);
      return buried.after;
    });
    goOn(run, after);
    output.wake(words);
  };

  const goOn = (run: Run, { left, wake: waiting }: After): void => {
    if (waiting !== null) wake(waiting);
    if (left === 'fenced') log.error({ thread: run.thread }, 'a run ended that did not have its thread any more');
  };

  return {
    start: (handler, options) => {
      if (stopped) throw closedError();
      if (job !== null) throw new AntlerError('conflict', 'This bus has a worker already.');
      const mine: Job = { handler, options };
      job = mine;
      pump();
      return {
        id: options.id ?? randomUUID(),
        stop: async () => {
          if (job === mine) job = null;
        },
      };
    },
    wake,
    forget: (thread) => {
      agenda.delete(alarmOf(thread));
      ready.delete(thread);
      // It may have kept a place.
      pump();
    },
    nudge: (thread) => {
      const run = runs.get(thread);
      if (run !== undefined) run.nudged = true;
    },
    cancel: (thread, reason) => {
      const run = runs.get(thread);
      if (run !== undefined) {
        if (run.active) run.controller.abort(abortError(reason));
        return run.active;
      }
      const fence = stopped ? null : inbox.fenceOf(thread);
      if (fence === null) return false;
      early.set(thread, { fence, reason });
      return true;
    },
    stop: () => {
      stopped = true;
    },
    drained: async () => {
      while (tasks.size > 0) await Promise.allSettled(tasks);
    },
    abort: () => {
      ending = 'shutdown';
      for (const run of runs.values()) run.controller.abort(abortError(ending));
    },
    handOver: () => {
      cutOff = true;
      for (const cut of cuts) cut();
    },
  };
}
