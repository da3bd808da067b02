import type { FileId, ImUserKey, PersonId, RunId, ThreadId, ThreadKey } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { FileRef, HostedChat } from '../channel/port.ts';
import type { LogEntry } from '../harness/log.ts';
import type { ProposalRecords } from '../harness/proposals/port.ts';
import type { ScheduleRecords } from '../schedules/port.ts';
import type { TaskRecords } from '../tasks/port.ts';
import type { Memories } from './memory/port.ts';

/** The database: one repository a table family, the same code over `node:sqlite` and PostgreSQL. */
export interface Store {
  readonly threads: Threads;
  readonly log: ThreadLog;
  readonly runs: Runs;
  readonly imUsers: ImUsers;
  readonly persons: Persons;
  readonly links: Links;
  readonly choices: Choices;
  readonly chats: Chats;
  readonly audit: Audit;
  readonly schedules: ScheduleRecords;
  readonly admissions: Admissions;
  readonly chatMoves: ChatMoves;
  readonly settings: Settings;
  readonly files: Files;
  readonly proposals: ProposalRecords;
  readonly usage: Usage;
  readonly memory: Memories;
  readonly overheard: Overheard;
  readonly tasks: TaskRecords;
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

/** A thread as a list shows it. */
export interface ThreadSummary extends Thread {
  /** Null until something was said in it. */
  readonly title: string | null;
  /** When it was last worked in; when it was made, before that. */
  readonly lastAt: number;
}

export interface Threads {
  /** The place's current thread, made when there is none. Safe when many callers come at once: all get the same one. */
  open(key: ThreadKey): Promise<Thread>;
  /** The place's current thread; null when there is none. */
  find(key: ThreadKey): Promise<Thread | null>;
  /** A fresh thread for the place (`/new`); the former one stays readable. */
  renew(key: ThreadKey): Promise<Thread>;
  /** As {@link renew}, but only while `id` is the current one; resolves with the current one in any case. */
  leave(key: ThreadKey, id: ThreadId): Promise<Thread>;
  get(id: ThreadId): Promise<Thread | null>;
  /** The place's threads, the current one first, then by when they were left. */
  list(key: ThreadKey, limit: number): Promise<ThreadSummary[]>;
  /** Makes a former thread of the place its current one again (`/resume`). Null: the place has no such thread. */
  resume(key: ThreadKey, id: ThreadId): Promise<Thread | null>;
  rename(id: ThreadId, title: string): Promise<void>;
  /** When the newest run of the thread began; null before the first. */
  lastRunAt(id: ThreadId): Promise<number | null>;
}

export interface ThreadLog {
  /** Appends entries that a run wrote. They count only once the run has committed. */
  append(thread: ThreadId, run: RunId, entries: readonly LogEntry[]): Promise<void>;
  /**
   * Entries of committed runs, oldest first; with `limit`, the newest so many. `committed`: a run that counts although
   * it may not be settled yet, see {@link Runs.settle}.
   */
  read(thread: ThreadId, limit?: number, committed?: RunId | null): Promise<LogEntry[]>;
  /**
   * Entries of committed runs behind position `after`, oldest first, at most `limit`; with null for it, the newest so many.
   */
  since(thread: ThreadId, after: number | null, limit: number): Promise<PlacedEntry[]>;
  /** What one run has written, whether it counts or not. */
  ofRun(thread: ThreadId, run: RunId): Promise<LogEntry[]>;
}

export interface PlacedEntry {
  /** In its thread. */
  readonly position: number;
  readonly entry: LogEntry;
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
  /** As the platform says. */
  readonly language: string | null;
  /** As they have chosen; null: as the platform says. */
  readonly chosenLanguage: Language | null;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly person: PersonId;
  /** What was granted to the person at run time; null: nothing. */
  readonly role: Role | null;
}

export interface ImUsers {
  /** First contact, which makes a person, or later: keeps name and language fresh. */
  see(user: Pick<ImUser, 'key' | 'name' | 'isBot' | 'language'>, at: number): Promise<ImUser>;
  get(key: ImUserKey): Promise<ImUser | null>;
  /** Those whom one platform, in any of its tenants, calls by this id. */
  called(channelType: string, user: string): Promise<ImUser[]>;
  /** Null: speak as the platform says. */
  chooseLanguage(key: ImUserKey, language: Language | null): Promise<void>;
  /** Those seen last first; `before`: where the former page ended. */
  list(page: { readonly limit: number; readonly before?: Pick<ImUser, 'lastSeenAt' | 'key'> }): Promise<ImUser[]>;
}

export interface RoleGrant {
  readonly person: PersonId;
  readonly role: Role;
  /** An IM user's key, or a word such as `owner`. */
  readonly grantedBy: string;
  readonly grantedAt: number;
}

/** Humans, as far as they are more than one IM user each. */
export interface Persons {
  /** Oldest contact first. */
  imUsers(person: PersonId): Promise<ImUser[]>;
  /** Every IM user of `from` becomes one of `into`, which keeps the better role of the two. */
  merge(from: PersonId, into: PersonId): Promise<void>;
  /** The IM user becomes a person of their own, without a role. Null: no such IM user, or the only one of its person. */
  split(key: ImUserKey): Promise<PersonId | null>;
  /** Null takes the role away. */
  grant(person: PersonId, role: Role | null, by: string, at: number): Promise<void>;
  grants(): Promise<RoleGrant[]>;
}

/** Where an IM user is written to. */
export interface Whereabouts {
  readonly key: ImUserKey;
  readonly channel: string;
  readonly chat: string;
}

/** Somebody wants to be one person with whoever types the code elsewhere. */
export interface LinkRequest {
  readonly code: string;
  readonly asker: Whereabouts;
  /** Who typed the code; null: nobody yet. */
  readonly claimer: Whereabouts | null;
  /** The claimer was told with whom, and agreed. */
  readonly claimerAgrees: boolean;
  readonly askedAt: number;
}

/** Requests to link two IM users; each step is atomic over all processes. */
export interface Links {
  /** Notes a request; the asker's former one is void. False: the code is somebody else's. */
  ask(request: Pick<LinkRequest, 'code' | 'asker' | 'askedAt'>): Promise<boolean>;
  /** Those made after `since` only. */
  get(code: string, since: number): Promise<LinkRequest | null>;
  /** Null: no such code, made after `since`, or another has claimed it. */
  claim(code: string, claimer: Whereabouts, since: number): Promise<LinkRequest | null>;
  /** The claimer agrees. Null: they have not claimed it. */
  agree(code: string, claimer: ImUserKey, since: number): Promise<LinkRequest | null>;
  /** Ends it. Null: it is over already. */
  take(code: string): Promise<LinkRequest | null>;
}

/** What people chose for a place. */
export interface Choice {
  /** Keys of the configuration; null: what the rules say. */
  readonly assistant: string | null;
  readonly model: string | null;
}

export interface Choices {
  get(place: ThreadKey): Promise<Choice>;
  /** Sets what is given and leaves the rest. */
  set(place: ThreadKey, choice: Partial<Choice>, by: ImUserKey, at: number): Promise<void>;
}

/** A chat in which the bot was spoken to. */
export interface ChatRecord {
  /** The channel's name. */
  readonly channel: string;
  readonly chat: string;
  readonly kind: 'dm' | 'group';
  readonly title: string | null;
  /** With whom; null: a group. */
  readonly imUser: ImUserKey | null;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

export interface Chats {
  /** First contact or later; keeps the title fresh. */
  see(chat: Omit<ChatRecord, 'firstSeenAt' | 'lastSeenAt'>, at: number): Promise<void>;
  /** Of one channel, heard of since then, last seen first. */
  list(channel: string, since: number, limit: number): Promise<ChatRecord[]>;
  /** Where somebody can be written to alone, last seen first. */
  of(user: ImUserKey): Promise<ChatRecord[]>;
}

/** A change that somebody made; nothing secret. */
export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  /** An IM user's key, or a word such as `owner`, `cli`. */
  readonly actor: string;
  /** E.g. `role.grant`, `person.link`, `memory.erase`. */
  readonly action: string;
  /** What was changed: a key or an id. */
  readonly subject: string;
  /** Before, after and what else tells it; JSON-safe. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Audit {
  add(entry: Omit<AuditEntry, 'id'>): Promise<void>;
  /** Newest first; `before`: where the former page ended. */
  list(page: {
    readonly limit: number;
    readonly before?: Pick<AuditEntry, 'at' | 'id'>;
    readonly subject?: string;
  }): Promise<AuditEntry[]>;
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
  /** Admits who made a request, which stays until it is taken. Null: as for {@link take}. */
  admit(code: string, since: number, by: string, at: number): Promise<PairingRequest | null>;
  /** False: they were not admitted this way. */
  revoke(channel: string, user: string): Promise<boolean>;
  /** Oldest first. */
  list(): Promise<Admission[]>;
}

/** Chats whose platform has given them another id, such as a Telegram group that became a supergroup. */
export interface ChatMoves {
  /**
   * The chat's conversations, what was chosen for them and what is remembered about the chat go on under its new id.
   * That is done once, however often it is told; false: it was told before.
   */
  move(channel: string, from: string, to: string, at: number): Promise<boolean>;
  /** The id that a chat has now; null: it has not moved. */
  presentId(channel: string, chat: string): Promise<string | null>;
  /** The ids that a chat had before, the latest first. */
  formerIds(channel: string, chat: string): Promise<string[]>;
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

/** What was said in a group within the bot's hearing, and not to it. */
export interface OverheardMessage {
  /** The channel's name. */
  readonly channel: string;
  readonly chat: string;
  /** The platform's message id. */
  readonly id: string;
  readonly place: ThreadKey;
  readonly name: string;
  readonly text: string;
  readonly at: number;
  readonly keptAt: number;
}

/** Messages that are kept until the bot is next spoken to in their place. */
export interface Overheard {
  /** Keeps it, or leaves what is kept under its id already; of its place only the newest `most` stay. */
  keep(message: OverheardMessage, most: number): Promise<void>;
  /** Changes it where it is kept. */
  edit(channel: string, chat: string, id: string, text: string): Promise<void>;
  remove(channel: string, chat: string, ids: readonly string[]): Promise<void>;
  find(channel: string, chat: string, id: string): Promise<OverheardMessage | null>;
  /** Of one place, kept after `since`, oldest first. */
  list(place: ThreadKey, since: number): Promise<OverheardMessage[]>;
  /** Deletes what was kept before; resolves with how many messages. */
  deleteBefore(moment: number): Promise<number>;
}

/** To what use is counted. */
export interface Counter {
  readonly kind: 'user' | 'chat' | 'channel' | 'assistant';
  /** An {@link ImUserKey}, the {@link ThreadKey} of a whole chat, or a name of the configuration. */
  readonly id: string;
}

export type Span = 'hour' | 'day';

/** When the hour and the day began in which something is counted. */
export interface Windows {
  readonly hour: number;
  readonly day: number;
}

/** Tokens by the name of their model. */
export type TokensByModel = Readonly<Record<string, { readonly inputTokens: number; readonly outputTokens: number }>>;

export interface Standing {
  readonly counter: Counter;
  /** In the hour. */
  readonly runsThisHour: number;
  /** In the day. */
  readonly runsToday: number;
  /** In the day. */
  readonly tokens: TokensByModel;
  /** Slots that are held now. */
  readonly running: number;
}

/** A run that wants to begin. */
export interface Entrance {
  /** The same for every run of a turn, which counts once. */
  readonly turn: string;
  /** This run of it. */
  readonly holder: string;
  readonly counters: readonly Counter[];
  /** Those that are looked at as well: a person's other accounts. */
  readonly beside?: readonly Counter[];
  /** Those of which a slot is taken. */
  readonly slots: readonly Counter[];
  readonly windows: Windows;
  readonly at: number;
  /** Until when the slots are held without being renewed. */
  readonly until: number;
}

/** Who has used most. */
export interface Consumer {
  readonly kind: Counter['kind'];
  /** Of kind `user`: a {@link PersonId}, or the key of an IM user that is nobody's. */
  readonly id: string;
}

/**
 * What was used, counted durably and over all processes. Counters are touched in one order everywhere, so that writers
 * wait for each other instead of locking each other out.
 */
export interface Usage {
  /**
   * Lets a run begin, or not, in one step with counting it and taking its slots: nobody else begins between. `decide` is
   * told how the counters stand without this turn's own slots, and whether the turn was counted before.
   */
  enter(entrance: Entrance, decide: (standings: readonly Standing[], counted: boolean) => boolean): Promise<boolean>;
  /**
   * Counts what a run has used so far in all; the part that was told before is not counted again. Counts its turn as
   * well, unless that is done.
   */
  spend(spent: Omit<Entrance, 'beside' | 'slots' | 'until'> & { readonly tokens: TokensByModel }): Promise<void>;
  /** Keeps the slots of these holders. */
  renew(holders: readonly string[], until: number): Promise<void>;
  /** Gives the holder's slots back. */
  leave(holder: string): Promise<void>;
  /** How counters stand, in the order asked for. */
  standings(counters: readonly Counter[], windows: Windows, at: number): Promise<Standing[]>;
  /** Those that have used most tokens in the day, most first. */
  most(day: number, limit: number): Promise<Consumer[]>;
  /** Is it this turn that tells people of the topic, in the window that began then? One turn does, however often it runs. */
  tells(topic: string, start: number, turn: string): Promise<boolean>;
  /** Deletes days that began before `days`, and everything else from before `rest`; resolves with how many counters. */
  deleteBefore(moments: { readonly days: number; readonly rest: number }): Promise<number>;
}
