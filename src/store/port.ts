import type { FileId, ImUserKey, RunId, ThreadId, ThreadKey } from '../base/ids.ts';
import type { Language } from '../base/sentences.ts';
import type { FileRef, HostedChat } from '../channel/port.ts';
import type { LogEntry } from '../harness/log.ts';
import type { ProposalRecords } from '../harness/proposals/port.ts';

/** The database: one repository a table family, the same code over `node:sqlite` and PostgreSQL. */
export interface Store {
  readonly threads: Threads;
  readonly log: ThreadLog;
  readonly runs: Runs;
  readonly imUsers: ImUsers;
  readonly admissions: Admissions;
  readonly settings: Settings;
  readonly files: Files;
  readonly proposals: ProposalRecords;
  /** The message list of a channel that hosts its own messages. */
  hosted(channel: string): HostedChat;
  /** Small durable values of channels: cursors, tokens of a sync. */
  readonly channelState: {
    get(channel: string, key: string): Promise<string | null>;
    set(channel: string, key: string, value: string): Promise<void>;
  };
  /** Is the database usable now? Rejects with what is wrong and what to do. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Thread {
  readonly id: ThreadId;
  readonly key: ThreadKey;
  readonly createdAt: number;
}

export interface Threads {
  /** The place's current thread, made when there is none. Safe when many callers come at once: all get the same one. */
  open(key: ThreadKey): Promise<Thread>;
  /** The place's current thread; null when there is none. */
  find(key: ThreadKey): Promise<Thread | null>;
  /** A fresh thread for the place (`/new`); the former one stays readable. */
  renew(key: ThreadKey): Promise<Thread>;
  get(id: ThreadId): Promise<Thread | null>;
}

export interface ThreadLog {
  /** Appends entries that a run wrote. They count only once the run has committed. */
  append(thread: ThreadId, run: RunId, entries: readonly LogEntry[]): Promise<void>;
  /** Entries of committed runs, oldest first; with `limit`, the newest so many. */
  read(thread: ThreadId, limit?: number): Promise<LogEntry[]>;
  /** What one run has written, whether it counts or not. */
  ofRun(thread: ThreadId, run: RunId): Promise<LogEntry[]>;
}

export type RunStatus = 'running' | 'committed' | 'abandoned';

export interface NewRun {
  readonly id: RunId;
  readonly thread: ThreadId;
  readonly assistant: string;
  readonly model: string;
  readonly firstSeq: number;
  readonly startedAt: number;
}

export interface RunRecord extends NewRun {
  readonly status: RunStatus;
  readonly endedAt: number | null;
  /** `completed`, `failed`, … as {@link RunResult} says. */
  readonly result: string | null;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface RunEnd {
  readonly endedAt: number;
  readonly result: string;
  readonly errorCode?: string;
  readonly errorDetail?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface RunEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: unknown;
}

export interface Runs {
  start(run: NewRun): Promise<void>;
  /** Notes how it ended; does not make it count. */
  end(id: RunId, end: RunEnd): Promise<void>;
  /**
   * Makes the log agree with the bus: run `committed` counts, every other run of the thread that is still `running`
   * is `abandoned`. Done right after a commit and at the start of each turn, so that a crash between the two heals.
   * Null: nothing was committed yet.
   */
  settle(thread: ThreadId, committed: RunId | null): Promise<void>;
  get(id: RunId): Promise<RunRecord | null>;
  /** Newest first. */
  list(thread: ThreadId, limit: number): Promise<RunRecord[]>;
  addEvents(id: RunId, events: readonly RunEvent[]): Promise<void>;
  events(id: RunId): Promise<RunEvent[]>;
}

export interface ImUser {
  readonly key: ImUserKey;
  readonly name: string;
  readonly isBot: boolean;
  readonly language: string | null;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

export interface ImUsers {
  /** First contact or later: keeps name and language fresh. */
  see(user: Pick<ImUser, 'key' | 'name' | 'isBot' | 'language'>, at: number): Promise<ImUser>;
  get(key: ImUserKey): Promise<ImUser | null>;
}

/** Somebody who asks to be let in, under a code that an admin approves. */
export interface PairingRequest {
  readonly code: string;
  /** The channel's name. */
  readonly channel: string;
  /** The platform's user id. */
  readonly user: string;
  /** Where they are told what became of it. */
  readonly chat: string;
  readonly name: string;
  readonly language: Language;
  readonly requestedAt: number;
}

/** Somebody who was let in at run time. */
export interface Admission {
  readonly channel: string;
  readonly user: string;
  readonly name: string;
  /** Who let them in: an IM user's key, or a word such as `owner`. */
  readonly admittedBy: string;
  readonly admittedAt: number;
}

/** Who may use a channel whose policy is `pairing`, and who asks to. Times are milliseconds since the epoch. */
export interface Admissions {
  isAdmitted(channel: string, user: string): Promise<boolean>;
  /** Notes a request; who has one that is younger than `validForMs` keeps it. Null: the code is somebody else's. */
  request(asked: PairingRequest, validForMs: number): Promise<PairingRequest | null>;
  /** Those made after `since`, oldest first. */
  pending(since: number): Promise<PairingRequest[]>;
  /** Ends a request without admitting anybody. Null: there is none of this code, made after `since`. */
  take(code: string, since: number): Promise<PairingRequest | null>;
  /** Ends a request and admits who made it, in one step. Null: as for {@link take}. */
  approve(code: string, since: number, by: string, at: number): Promise<PairingRequest | null>;
  /** False: they were not admitted this way. */
  revoke(channel: string, user: string): Promise<boolean>;
  /** Oldest first. */
  list(): Promise<Admission[]>;
}

/** What is set at run time rather than in the file. Values are JSON; secrets in them are encrypted by the caller. */
export interface Settings {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A file that came with a message (`in`) or was made by a run (`out`). */
export interface NewFile extends Omit<FileRef, 'bytes'> {
  readonly thread: ThreadId;
  readonly channel: string;
  readonly chat: string;
  /** Who sent it, or for whom it was made. */
  readonly owner: ImUserKey;
  readonly direction: 'in' | 'out';
  readonly createdAt: number;
}

export interface FileMeta extends NewFile {
  readonly bytes: number;
  /** Of the content, in hexadecimal. */
  readonly sha256: string;
}

/** Files with their bytes, so that every process can read them and erasing one erases it everywhere. */
export interface Files {
  /** Stores it, or leaves what is stored under its id already; resolves with what is there. */
  put(file: NewFile, content: Uint8Array): Promise<FileMeta>;
  get(id: FileId): Promise<FileMeta | null>;
  read(id: FileId): Promise<Uint8Array | null>;
  /** Of one thread, oldest first. */
  list(thread: ThreadId): Promise<FileMeta[]>;
  /** Deletes what is older than this moment; resolves with how many files that were. */
  deleteBefore(moment: number): Promise<number>;
}
