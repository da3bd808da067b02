import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import type { RunId, TaskId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { NewDelivery, Turn } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { RunResult } from '../harness/port.ts';
import type { Stand } from '../tasks/card.ts';
import { cardDelivery, cardDraft, taskTarget } from '../tasks/deliveries.ts';
import type { Task, TaskChange, TaskRecords } from '../tasks/port.ts';
import { after, isOver, OPEN_STATES } from '../tasks/state.ts';
import type { DraftPumpOptions } from './draft-pump.ts';

/** Cards are looked at now and then; a platform's patience for edits is better spent on answers, of which there are more. */
const CARD_INTERVAL_MS = 3_000;
const PACES_PER_CARD = 3;
/** Runs of a process that are about to be committed; more than it ever works on at once. */
const COMMITTING_MOST = 1_000;
/** What who splits a task is told of its parts. */
const MAX_SUMMARY_CHARS = 4_000;
const MAX_ROUNDS = 20;

/** What a run has made of its task. Null: nothing, it goes on with its next turn. */
export type TaskEnd = 'finish' | 'ask' | 'fail' | null;

/** How the end of a run is an end of its task. `ending`: what ended it before its time. */
export function taskEnd(result: RunResult['status'], ending: 'stop' | 'interrupt' | 'timeout' | null): TaskEnd {
  switch (result) {
    case 'completed':
    case 'step_limit':
      return 'finish';
    case 'asked':
      return 'ask';
    case 'failed':
      return 'fail';
    case 'cancelled':
      return ending === 'timeout' ? 'fail' : null;
  }
}

/** What a run shows of its work: the task's card in the place of an answer that grows. */
export interface Board {
  readonly pumping: Omit<DraftPumpOptions, 'clock'>;
  /** Something to show; what it returns tells one stand from the others. */
  note(what: { readonly tool?: string; readonly doing?: string }): string;
  readonly stand: Omit<Stand, 'now'>;
}

export interface TaskTurnsOptions {
  readonly tasks: TaskRecords;
  /** A task has come to its end. */
  readonly ended: (task: Task) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

interface Settlement {
  readonly task: TaskId;
  readonly end: Exclude<TaskEnd, null>;
  readonly summary: string;
  readonly actor: string;
}

/** What is otherwise in turns of tasks than in answers. */
export interface TaskTurns {
  /** The task, at work from now on; null when there is nothing to do about it any more. */
  begin(id: TaskId, actor: string): Promise<Task | null>;
  boardOf(task: Task, entry: ChannelEntry, turn: Pick<Turn, 'draft'>): Board;
  /** Keeps in mind what a run has made of its task, until the run counts; and the card that says so. */
  end(task: Task, entry: ChannelEntry, run: RunId, made: Made): Promise<readonly NewDelivery[]>;
  /** Does it have parts that are not over? */
  hasParts(task: Task): Promise<boolean>;
  /** A run counts. */
  committed(run: RunId): Promise<void>;
  /** There will be no other run. */
  giveUp(id: TaskId, entry: ChannelEntry): Promise<readonly NewDelivery[]>;
}

export interface Made {
  readonly end: TaskEnd;
  /** What people are told of it. */
  readonly text: string;
  readonly stand: Omit<Stand, 'now'>;
}

export function createTaskTurns({ tasks, ended, clock, log }: TaskTurnsOptions): TaskTurns {
  const settlements = new BoundedMap<RunId, Settlement>(COMMITTING_MOST);

  /** The task after a change; as it is where the change cannot happen to it (any more); null when it is not there. */
  async function apply(id: TaskId, change: TaskChange, actor: string, more: ApplyOptions = {}): Promise<Task | null> {
    const { data = {}, ...set } = more;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const task = await tasks.get(id);
      const state = task === null ? null : after(task.state, change);
      if (task === null || state === null) return task;
      const event = { at: clock.now(), actor, kind: change, data };
      const changed = await tasks.change(task, { ...set, state, remindedAt: null }, event);
      if (changed !== null) return changed;
    }
    log.warn({ task: id, change }, 'too many change a task at once');
    return tasks.get(id);
  }

  /** The card of a task that is about to be in this state. Where it cannot be edited, the answer beside it tells. */
  const card = (task: Task, entry: ChannelEntry, stand: Omit<Stand, 'now'>, change: string): readonly NewDelivery[] => [
    cardDelivery(task, entry, { ...stand, now: clock.now() }, change, { isTold: true }),
  ];

  return {
    begin: async (id, actor) => {
      const task = await apply(id, 'start', actor);
      return task?.state === 'running' && task.assignee === null ? task : null;
    },

    boardOf: (task, entry, turn) => {
      const { id } = task;
      let steps = 0;
      let doing = '';
      /** How often it was tried before the card was there. */
      let tries: number | null = 0;
      return {
        get stand() {
          return { steps };
        },
        note: (what) => {
          if (what.tool !== undefined) steps++;
          if (what.doing !== undefined) doing = what.doing;
          // While nobody can see it every try is a new one; then how long it takes is told anew each minute.
          return `${steps} ${tries ?? Math.floor(clock.now() / 60_000)} ${doing}`;
        },
        pumping: {
          show: async () => {
            const now = await tasks.get(id);
            if (now === null || isOver(now.state)) return;
            const draft = cardDraft(now, entry, { now: clock.now(), steps, doing });
            tries = draft === null ? (tries ?? 0) + 1 : null;
            if (draft !== null) await turn.draft(draft);
          },
          minIntervalMs: Math.max(
            CARD_INTERVAL_MS,
            PACES_PER_CARD * entry.manifest.pace(taskTarget(task)).minIntervalMs,
          ),
          typingLastsMs: 0,
          streams: entry.manifest.capabilities.edit,
        },
      };
    },

    hasParts: async ({ id }) => (await tasks.list({ parent: id, states: OPEN_STATES }, 1)).length > 0,

    end: async (begun, entry, run, { end, text, stand }) => {
      const task = (await tasks.get(begun.id)) ?? begun;
      const state = end === null ? null : after(task.state, end);
      const summary = text.slice(0, MAX_SUMMARY_CHARS).toWellFormed();
      if (end !== null && state !== null) settlements.set(run, { task: task.id, end, summary, actor: task.assistant });
      const next = state === null ? task : { ...task, state, updatedAt: clock.now() };
      return card(next, entry, stand, run);
    },

    committed: async (run) => {
      const settlement = settlements.get(run);
      settlements.delete(run);
      if (settlement === undefined) return;
      const { task, end, actor, summary } = settlement;
      const now = await apply(task, end, actor, { summary, data: { run } });
      if (now !== null && isOver(now.state)) await ended(now);
    },

    giveUp: async (id, entry) => {
      const task = await apply(id, 'fail', 'worker');
      if (task !== null && isOver(task.state)) await ended(task);
      return task === null ? [] : card(task, entry, {}, `given up/${task.version}`);
    },
  };
}

interface ApplyOptions {
  readonly summary?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
