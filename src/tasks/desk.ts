import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { type ImUserKey, type TaskId, taskId, threadKey } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { isAtLeast, type Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { MessageBus } from '../bus/port.ts';
import type { ChannelBook } from '../channel/book.ts';
import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { Store } from '../store/port.ts';
import { cardDelivery, FIRST } from './deliveries.ts';
import { partsKey, partsMessage } from './parts.ts';
import type { Assignee, Task, TaskChange, TaskFilter, TaskLimits } from './port.ts';
import { after, isOver, OPEN_STATES } from './state.ts';
import { titleOf } from './title.ts';

export interface TaskDeskOptions {
  readonly store: Pick<Store, 'tasks' | 'threads'>;
  readonly bus: Pick<MessageBus, 'outbox' | 'cancel'>;
  readonly channels: ChannelBook;
  /** Puts something that is said about a task into its thread, once for each `key`. */
  readonly publish: (task: Task, message: InboundMessage, role: Role, key: string) => Promise<void>;
  readonly limits: TaskLimits;
  /** A task comes down from at most so many others. */
  readonly maxHops: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/** What somebody wants to be done. */
export interface TaskWish {
  /** The same for the same request, however often it is made. */
  readonly origin: string;
  /** The request; its text is what is to be done. */
  readonly message: InboundMessage;
  readonly role: Role;
  readonly language: Language;
  readonly assistant: string;
  /** Absent: what the text begins with. */
  readonly title?: string;
  readonly deadlineAt?: number;
  readonly assignee?: Assignee;
  readonly parent?: Task;
  /** Somebody has to agree first. */
  readonly isProposal?: boolean;
}

/** Who does something to a task. */
export interface Actor {
  readonly key: ImUserKey;
  readonly role: Role;
}

export type Made = { readonly task: Task } | { readonly refused: keyof TaskLimits | 'hops' };

/** What became of a change: the task after it, or why not. */
export type Changed = { readonly task: Task } | { readonly refused: 'not_yours' | 'not_now'; readonly task: Task };

/** Tasks as people see and change them. */
export interface TaskDesk {
  readonly limits: TaskLimits;
  /** What a channel's platform can show. */
  can(channel: string): { readonly mentions: boolean };
  /** Makes a task of a request, shows its card and has it begun; or finds what was made of the request before. */
  make(wish: TaskWish): Promise<Made>;
  get(id: TaskId): Promise<Task | null>;
  list(filter: TaskFilter, limit: number): Promise<Task[]>;
  events: Store['tasks']['events'];
  /** The task that a message of the bot's is about. */
  about: Store['tasks']['about'];
  /** Whoever may not, or comes too late, changes nothing. */
  change(task: Task, change: 'accept' | 'cancel' | 'finish', by: Actor): Promise<Changed>;
  /** Null for an assignee: the assistant has it again. */
  assign(task: Task, assignee: Assignee | null, by: Actor): Promise<Changed>;
  /** A task has come to its end: the one that it is a part of hears of it, once all its parts are over. */
  ended(task: Pick<Task, 'parent'>): Promise<void>;
  /** Begins a task that should have begun. */
  resume(task: Task): Promise<void>;
  /** Somebody says more about a task: to its run, or so that it is taken up again. */
  tell(task: Task, message: InboundMessage, by: Actor, key: string): Promise<Changed>;
}

/** Whose tasks they are, and who looks after them. */
export const mayChange = ({ requester, assignee }: Task, { key, role }: Actor): boolean =>
  key === requester || key === assignee?.key || isAtLeast(role, 'operator');

/** Writers that can meet at one task; more are a fault. */
const MAX_ROUNDS = 20;
/** Of one task; the chat's limit is lower as a rule. */
const PARTS_MOST = 1_000;

export function createTaskDesk({
  store,
  bus,
  channels,
  publish,
  limits,
  maxHops,
  clock,
  log,
}: TaskDeskOptions): TaskDesk {
  const { tasks } = store;

  async function show(task: Task, change: string): Promise<void> {
    const entry = channels.get(task.channel);
    if (entry === undefined) return;
    await bus.outbox.enqueue([cardDelivery(task, entry, { now: clock.now() }, change)]);
  }

  const begin = (task: Task, key: string): Promise<void> =>
    publish(
      task,
      { ...task.message, chat: { ...task.message.chat, id: task.chat } },
      task.role,
      `task/${task.id}/${key}`,
    );

  async function make(wish: TaskWish): Promise<Made> {
    const { message, parent, assignee = null } = wish;
    const hop = parent === undefined ? 0 : parent.hop + 1;
    if (hop > maxHops) return { refused: 'hops' };
    const id = taskId(wish.origin);
    const { channel, chat } = message;
    const created = await tasks.create(
      {
        ...{ id, channel, chat: chat.id, requester: senderKey(message), message, role: wish.role },
        ...{ language: wish.language, title: titleOf(wish.title ?? message.text), assistant: wish.assistant },
        state: wish.isProposal === true ? 'proposed' : 'accepted',
        thread: (await store.threads.open(threadKey({ channel, chat: chat.id, task: id }))).id,
        ...{ assignee, parent: parent?.id ?? null, hop, deadlineAt: wish.deadlineAt ?? null, createdAt: clock.now() },
      },
      limits,
    );
    if ('refused' in created) return created;
    const { task } = created;
    // All of it happens once, so that whoever was cut off in the middle may do it again.
    await show(task, FIRST);
    if (task.state === 'accepted' && task.assignee === null) await begin(task, 'start');
    if (created.isNew) log.info({ task: id, channel, hop, assistant: task.assistant }, 'a task was made');
    return { task };
  }

  /** Changes a task, as it is by then; null where that cannot happen to it any more. */
  async function apply(
    { id }: Task,
    change: TaskChange,
    actor: string,
    set: { readonly assignee?: Assignee | null } = {},
  ): Promise<Task | null> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const task = await tasks.get(id);
      const state = task === null ? null : after(task.state, change);
      if (task === null || state === null) return null;
      const data = set.assignee === undefined ? {} : { assignee: set.assignee?.key ?? task.assistant };
      const event = { at: clock.now(), actor, kind: change, data };
      const changed = await tasks.change(task, { ...set, state, remindedAt: null }, event);
      if (changed !== null) return changed;
    }
    throw new AntlerError('conflict', `Too many change the task ${id} at once.`, { retryable: true });
  }

  async function refused(task: Task): Promise<Changed> {
    return { refused: 'not_now', task: (await tasks.get(task.id)) ?? task };
  }

  async function ended({ parent: id }: Pick<Task, 'parent'>): Promise<void> {
    const parent = id === null ? null : await tasks.get(id);
    if (parent === null || isOver(parent.state) || parent.assignee !== null) return;
    const parts = await tasks.list({ parent: parent.id }, PARTS_MOST);
    if (parts.some(({ state }) => !isOver(state))) return;
    const key = `task/${parent.id}/parts/${partsKey(parts)}`;
    await publish(parent, partsMessage(parent, parts, clock.now()), parent.role, key);
  }

  /** With a task its parts end, which nobody waits for any more. */
  async function cancelParts({ id: parent }: Task, by: Actor): Promise<void> {
    for (const part of await tasks.list({ parent, states: OPEN_STATES }, PARTS_MOST)) {
      const cancelled = await apply(part, 'cancel', by.key);
      if (cancelled === null) continue;
      await halt(cancelled);
      await show(cancelled, String(cancelled.version));
      await cancelParts(cancelled, by);
    }
  }

  /** What was begun by somebody who has the task no more ends. */
  const halt = (task: Task): Promise<boolean> => bus.cancel(task.thread, 'stop');

  return {
    limits,
    can: (channel) => ({ mentions: channels.get(channel)?.manifest.capabilities.mentions === true }),
    make,
    get: (id) => tasks.get(id),
    list: (filter, limit) => tasks.list(filter, limit),
    events: (id) => tasks.events(id),
    about: (channel, chat, message) => tasks.about(channel, chat, message),

    change: async (task, change, by) => {
      if (!mayChange(task, by)) return { refused: 'not_yours', task };
      const changed = await apply(task, change, by.key);
      if (changed === null) return refused(task);
      if (change === 'accept' && changed.assignee === null) await begin(changed, 'start');
      else if (change !== 'accept') await halt(changed);
      await show(changed, String(changed.version));
      if (isOver(changed.state)) {
        await cancelParts(changed, by);
        await ended(changed);
      }
      return { task: changed };
    },

    assign: async (task, assignee, by) => {
      if (!mayChange(task, by)) return { refused: 'not_yours', task };
      const changed = await apply(task, 'assign', by.key, { assignee });
      if (changed === null) return refused(task);
      await halt(changed);
      if (assignee === null) await begin(changed, `start/${changed.version}`);
      await show(changed, String(changed.version));
      return { task: changed };
    },

    ended,

    resume: (task) => begin(task, `start/${task.version}`),

    tell: async (task, message, by, key) => {
      if (!mayChange(task, by)) return { refused: 'not_yours', task };
      const reopened = await apply(task, 'reopen', by.key);
      const now = reopened ?? task;
      if (now.assignee === null) await publish(now, message, by.role, key);
      if (reopened !== null) await show(reopened, String(reopened.version));
      return { task: now };
    },
  };
}
