import type { FileId } from '../base/ids.ts';

/**
 * The thread log: append-only, the only thing a model request is built from. Entries are JSON-safe. How a log becomes
 * a request is `transcript/`'s business; any log, however broken off, yields a valid one.
 */
export type LogEntry = UserEntry | HeardEntry | AssistantEntry | ToolEntry | SummaryEntry | StateEntry;

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly speaker: Speaker;
  /** The id of the question whose button was pressed; `text` is what stands on the button. */
  readonly pressed?: string;
  /** What the message answers or quotes. */
  readonly quote?: {
    readonly author?: string;
    readonly fromBot: boolean;
    readonly text: string;
    readonly files?: readonly LoggedFile[];
  };
  readonly forwardedFrom?: string;
  /** How long ago it had been said when it was taken up, in milliseconds, where that was long enough to matter. */
  readonly lateMs?: number;
  /** Files that came along. */
  readonly files?: readonly LoggedFile[];
}

/**
 * What was said near the bot and not to it, for it to know of: what stood in a thread before it was called there, or
 * what it read along. Nobody's words to the bot, so nothing is learnt from them about whom it answers.
 */
export interface HeardEntry {
  readonly kind: 'heard';
  readonly id: string;
  readonly at: number;
  /** Oldest first. */
  readonly messages: readonly HeardMessage[];
}

export interface HeardMessage {
  /** The platform's. */
  readonly id: string;
  readonly at: number;
  /** Whose words they are; empty where nobody tells it. */
  readonly name: string;
  /** The bot's own. */
  readonly fromBot: boolean;
  readonly text: string;
}

/** A file, without its bytes. */
export interface FileInfo {
  readonly id: FileId;
  readonly kind: 'image' | 'audio' | 'voice' | 'video' | 'file' | 'sticker';
  /** Nothing but a name. */
  readonly name: string;
  /** As the platform or its name says: a claim, not a fact. */
  readonly mime: string;
  /** 0: not known. */
  readonly bytes: number;
}

export interface LoggedFile extends FileInfo {
  /** Why it could not be read. */
  readonly problem?: FileProblem;
}

/**
 * `gone`: the platform has it no more; `refused`: the platform does not hand it over; `late`: it had not come in time,
 * and may come yet.
 */
export type FileProblem = 'too_large' | 'gone' | 'refused' | 'late';

export interface Speaker {
  /** {@link ImUserKey} of who spoke. */
  readonly id: string;
  /** Empty where nobody tells it. */
  readonly name: string;
}

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  /** Never shown to people; replayed to models that insist on it. */
  readonly reasoning?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly model: string;
  /** The stream broke or was stopped: the text is what had come until then. */
  readonly partial?: true;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it; may be anything. */
  readonly arguments: string;
  /** What an endpoint wants back with the call, unread: Gemini's thought signatures. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ToolEntry {
  readonly kind: 'tool';
  readonly id: string;
  readonly at: number;
  readonly callId: string;
  readonly name: string;
  readonly status: 'ok' | 'error';
  readonly text: string;
  /** The run was stopped before the call ended: a run that goes on with its work knows nothing of how it went. */
  readonly cut?: true;
}

/** What stands in the place of everything up to and including the entry `covers`. The newest one counts. */
export interface SummaryEntry {
  readonly kind: 'summary';
  readonly id: string;
  readonly at: number;
  /** The id of the last entry that it tells of. */
  readonly covers: string;
  readonly text: string;
}

/**
 * What a middleware or tool keeps for later turns: a list of things to do, skills in use. Not shown to the model by
 * itself. Of each key the newest one counts.
 */
export interface StateEntry {
  readonly kind: 'state';
  readonly id: string;
  readonly at: number;
  readonly key: string;
  /** JSON-safe. */
  readonly value: unknown;
}
