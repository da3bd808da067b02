import type { ImUserKey, TaskId, ThreadId } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { InboundMessage } from '../channel/message.ts';

/** `proposed`: nobody has agreed yet. `waiting`: for somebody's answer. The last four are ends. */
export type TaskState = 'proposed' | 'accepted' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'expired';

/** What happens to a task. Which of it can happen when is said in `state.ts`. */
export type TaskChange =
  | 'accept'
  | 'start'
  | 'ask'
  | 'finish'
  | 'fail'
  | 'cancel'
  | 'expire'
  /** Somebody else has it from now on. */
  | 'assign'
  /** Somebody has said more about it after its end. */
  | 'reopen';

/** A human who has a task in the place of the assistant. */
export interface Assignee {
  readonly key: ImUserKey;
  readonly name: string;
}

/** Work that was delegated in a chat. Moments are milliseconds since the epoch. */
export interface Task {
  readonly id: TaskId;
  /** The channel's name. */
  readonly channel: string;
  readonly chat: string;
  /** Who wants it. */
  readonly requester: ImUserKey;
  /** As it was asked for: in which topic, by whom, with which files; its text is what is to be done. */
  readonly message: InboundMessage;
  /** What the requester was when they asked. */
  readonly role: Role;
  readonly language: Language;
  /** In a few words. */
  readonly title: string;
  /** The assistant's name in the configuration. */
  readonly assistant: string;
  readonly state: TaskState;
  /** Its own conversation. */
  readonly thread: ThreadId;
  /** The platform's id of the message that shows how it stands; null: none is shown yet. */
  readonly card: string | null;
  /** Null: the assistant does it. */
  readonly assignee: Assignee | null;
  /** The task whose work made this one. */
  readonly parent: TaskId | null;
  /** How many tasks this one comes down from. */
  readonly hop: number;
  readonly deadlineAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When who keeps it waiting was reminded; null: not yet. */
  readonly remindedAt: number | null;
  /** What has come of it, in short. */
  readonly summary: string | null;
  /** One more with each event. */
  readonly version: number;
}

export type NewTask = Omit<Task, 'card' | 'updatedAt' | 'remindedAt' | 'summary' | 'version'>;

/** Something that has happened to a task. */
export interface TaskEvent {
  readonly task: TaskId;
  /** From 1 on, without gaps: the version that the task had after it. */
  readonly seq: number;
  readonly at: number;
  /** An IM user's key, an assistant's name, or a word such as `owner`. */
  readonly actor: string;
  readonly kind: TaskChange | 'created' | 'steer' | 'remind';
  /** What else tells it; JSON-safe. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Open tasks that there may be at once. */
export interface TaskLimits {
  readonly perPerson: number;
  readonly perChat: number;
}

export type Created =
  /** `isNew`: false when it had been made before. */
  { readonly task: Task; readonly isNew: boolean } | { readonly refused: keyof TaskLimits };

/** Which tasks are wanted; what is not named does not matter. */
export interface TaskFilter {
  readonly channel?: string;
  readonly chat?: string;
  /** Who wants them, or has them. */
  readonly user?: ImUserKey;
  readonly states?: readonly TaskState[];
  /** The task that they are parts of. */
  readonly parent?: TaskId;
  /** What their ids begin with. */
  readonly prefix?: string;
  /** Nothing has happened to them since. */
  readonly quietSince?: number;
}

/** Tasks in the database. */
export interface TaskRecords {
  /** Keeps a new one unless that would be more than `limits` allow, or leaves what is kept under its id already. */
  create(task: NewTask, limits: TaskLimits): Promise<Created>;
  get(id: TaskId): Promise<Task | null>;
  /**
   * Changes a task and notes why, both or nothing, while it is still of the version that `task` has. Null: somebody was
   * faster.
   */
  change(
    task: Pick<Task, 'id' | 'version'>,
    set: Partial<Pick<Task, 'state' | 'assignee' | 'summary' | 'remindedAt' | 'deadlineAt'>>,
    event: Pick<TaskEvent, 'at' | 'actor' | 'kind' | 'data'>,
  ): Promise<Task | null>;
  /** Newest first. */
  list(filter: TaskFilter, limit: number): Promise<Task[]>;
  /** Of one task, oldest first. */
  events(id: TaskId): Promise<TaskEvent[]>;
  /** A message about a task has been sent. `isCard`: it is the one that shows how the task stands. */
  said(id: TaskId, message: { readonly id: string; readonly isCard: boolean }): Promise<void>;
  /** The task that a message is about which {@link said} has told of. */
  about(channel: string, chat: string, message: string): Promise<Task | null>;
}
