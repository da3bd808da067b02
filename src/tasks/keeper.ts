import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import { parseImUserKey, taskDeliveryId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { say } from '../base/sentences.ts';
import type { MessageBus } from '../bus/port.ts';
import type { ChannelBook } from '../channel/book.ts';
import type { Store } from '../store/port.ts';
import { asTyped } from './as-typed.ts';
import { calling } from './call.ts';
import { shortId } from './card.ts';
import { cardDelivery, taskTarget } from './deliveries.ts';
import type { TaskDesk } from './desk.ts';
import { type DigestTime, digestDay, digests } from './digest.ts';
import type { Task, TaskChange, TaskState } from './port.ts';
import { after, isOver, OPEN_STATES } from './state.ts';

export interface KeeperOptions {
  readonly store: Pick<Store, 'tasks' | 'runs'>;
  readonly bus: Pick<MessageBus, 'outbox' | 'threadState'>;
  readonly desk: Pick<TaskDesk, 'resume' | 'ended'>;
  readonly channels: ChannelBook;
  /** Who keeps a task waiting is reminded after this long, in milliseconds. */
  readonly remindMs: number;
  /** A task that waits for somebody ends after this long. */
  readonly expireMs: number;
  /** When chats are told of their open tasks. Absent: never. */
  readonly digest?: DigestTime;
  readonly clock: Clock;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 30_000;
/** A turn takes less to begin, and its end less to be noted; then something was cut off. */
const SETTLED_AFTER_MS = 60_000;
/** Looked at in one round; the rest has its turn in the next ones. */
const LOOKED_AT = 200;
/** Of all chats, in one morning. */
const TOLD_MOST = 5_000;

/** How a run's end is an end of its task, where whoever ran it did not get to note it. */
const ENDS: Readonly<Partial<Record<string, TaskChange>>> = { completed: 'finish', step_limit: 'finish', asked: 'ask' };

/**
 * Looks after tasks in every gateway: who keeps one waiting is reminded once, what nobody answers ends, and what was cut
 * off between two steps goes on. All of it is done once, however many look after it.
 */
export function startKeeper(options: KeeperOptions): { stop(): Promise<void> } {
  const { log, clock } = options;
  const stopping = new AbortController();

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await lookAfterTasks(options).catch((error: unknown) => {
        log.warn({ problem: asAntlerError(error).message }, 'tasks were not looked after; another try follows');
      });
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {}); // woken by stop()
    }
  }

  const looking = keepLooking();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}

/** One round. */
export async function lookAfterTasks(options: KeeperOptions): Promise<void> {
  const { store, bus, desk, channels, remindMs, expireMs, clock, log } = options;
  const { tasks } = store;

  const quiet = (states: readonly TaskState[], ms: number): Promise<Task[]> =>
    tasks.list({ states, quietSince: clock.now() - ms }, LOOKED_AT);

  /** Nothing when somebody has changed it meanwhile. */
  async function end(task: Task, change: TaskChange): Promise<void> {
    const state = after(task.state, change);
    if (state === null) return;
    const event = { at: clock.now(), actor: 'keeper', kind: change, data: {} };
    const changed = await tasks.change(task, { state }, event);
    const entry = channels.get(task.channel);
    if (changed === null || entry === undefined) return;
    log.info({ task: task.id, change }, 'a task was brought to where it belongs');
    await bus.outbox.enqueue([cardDelivery(changed, entry, { now: clock.now() }, String(changed.version))]);
    if (isOver(changed.state)) await desk.ended(changed);
  }

  async function remind(task: Task): Promise<void> {
    const { id, version, language, assignee, message } = task;
    const event = { at: clock.now(), actor: 'keeper', kind: 'remind', data: {} } as const;
    const entry = channels.get(task.channel);
    if (entry === undefined || (await tasks.change({ id, version }, { remindedAt: clock.now() }, event)) === null)
      return;
    const { capabilities, limits } = entry.manifest;
    const [user, name] =
      assignee === null ? [message.sender.id, message.sender.name] : [parseImUserKey(assignee.key).user, assignee.name];
    const call = message.chat.kind === 'group' ? `${calling(user, name, capabilities)} ` : '';
    const words = say(language, assignee === null ? 'task_reminder' : 'task_reminder_assignee', {
      title: asTyped(task.title),
      id: shortId(task),
    });
    const target = taskTarget(task);
    await bus.outbox.enqueue([
      {
        id: taskDeliveryId(id, `reminder/${version}`),
        channel: task.channel,
        target,
        document: { markdown: `${call}${words}` },
        limits: limits(task.channel, target, 'send'),
        at: clock.now(),
        resendForMs: entry.settings.resendForMs,
        language,
      },
    ]);
  }

  /** It waits for a person: whoever that is; or for its parts, which have limits of their own. */
  async function waits(task: Task): Promise<void> {
    if (task.state === 'waiting') {
      const parts = await tasks.list({ parent: task.id }, LOOKED_AT);
      const isNews = parts.some(({ state, updatedAt }) => isOver(state) && updatedAt > task.updatedAt);
      if (parts.some(({ state }) => !isOver(state))) return;
      // Who ended the last one was cut off before it could tell.
      if (isNews) return desk.ended({ parent: task.id });
    }
    const { remindedAt, deadlineAt, assignee, state } = task;
    if (state === 'accepted' && assignee === null) return;
    const now = clock.now();
    if (remindedAt === null) {
      const due = deadlineAt ?? task.updatedAt + remindMs;
      if (now >= Math.min(due, task.updatedAt + expireMs)) await remind(task);
    } else if (now - remindedAt >= Math.max(expireMs - remindMs, 0)) await end(task, 'expire');
  }

  /** It should be at work, and is not. */
  async function heal(task: Task): Promise<void> {
    if (task.assignee !== null) return;
    const { state, waiting } = await bus.threadState(task.thread);
    if (state !== 'idle' || waiting > 0) return;
    // Accepted, and nobody has begun: whoever took it on was cut off before it was handed to a worker.
    if (task.state === 'accepted') return desk.resume(task);
    const [run] = await store.runs.list(task.thread, 1);
    // With nothing left in the inbox a run that has ended has been committed, marked so or not.
    const result = run === undefined || run.status === 'abandoned' ? null : run.result;
    await end(task, ENDS[result ?? ''] ?? 'fail');
  }

  for (const task of await quiet(['proposed', 'accepted', 'waiting'], Math.min(remindMs, SETTLED_AFTER_MS)))
    await waits(task);
  for (const task of await quiet(['accepted', 'running'], SETTLED_AFTER_MS)) await heal(task);

  const day = options.digest === undefined ? null : digestDay(options.digest, clock.now());
  if (day !== null) {
    const open = await tasks.list({ states: OPEN_STATES }, TOLD_MOST);
    await bus.outbox.enqueue(digests(open, channels, day, clock.now()));
  }
}
