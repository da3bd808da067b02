import { createHash, randomBytes } from 'node:crypto';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A conversation's append-only log. Random, `[A-Za-z0-9_-]` only, so that it can be part of any key or URL. */
export type ThreadId = Branded<'ThreadId'>;
/** The place a conversation belongs to: channel, chat, and by scope topic and user. See {@link threadKey}. */
export type ThreadKey = Branded<'ThreadKey'>;
/** One execution of the harness for one turn; also the commit id of that turn on the bus. */
export type RunId = Branded<'RunId'>;
/** One message on its way out. Stable: a turn that is run again yields the same ids. */
export type DeliveryId = Branded<'DeliveryId'>;
/** A file that came in or was made by a run; random or derived, `[A-Za-z0-9_-]` only. See {@link inboundFileId}. */
export type FileId = Branded<'FileId'>;
/** An account on a platform: (channel type, tenant, user id). See {@link imUserKey}. */
export type ImUserKey = Branded<'ImUserKey'>;
/** One human, who owns one or more IM users. Random. */
export type PersonId = Branded<'PersonId'>;
/** Work that was delegated in a chat. Ten letters and digits; people type the first few. See {@link taskId}. */
export type TaskId = Branded<'TaskId'>;
/** Whom or what something is remembered about: a person, or a chat as a whole. */
export type MemorySubject = Branded<'MemorySubject'>;
/** Something to be done later. Random. */
export type ScheduleId = Branded<'ScheduleId'>;

const encode = (part: string): string => encodeURIComponent(part.toWellFormed());
const decode = (part: string): string => decodeURIComponent(part);

export interface ThreadPlace {
  /** The channel's name in the configuration. */
  readonly channel: string;
  /** The platform's chat id. */
  readonly chat: string;
  readonly topic?: string;
  /** Only where the thread belongs to one user of the chat. */
  readonly user?: string;
  /** Only of a task's own thread, which is apart from everything else that is said in the chat. */
  readonly task?: string;
}

/** Builds the key of a place, e.g. `telegram/-100123/t:5/u:7`. Ids are opaque; any character survives. */
export function threadKey(place: ThreadPlace): ThreadKey {
  const parts = [encode(place.channel), encode(place.chat)];
  if (place.topic !== undefined) parts.push(`t:${encode(place.topic)}`);
  if (place.user !== undefined) parts.push(`u:${encode(place.user)}`);
  if (place.task !== undefined) parts.push(`k:${encode(place.task)}`);
  return parts.join('/') as ThreadKey;
}

/** Reads a key that {@link threadKey} built. */
export function parseThreadKey(key: ThreadKey): ThreadPlace {
  const [channel = '', chat = '', ...rest] = key.split('/');
  const part = (mark: string): string | undefined => rest.find((piece) => piece.startsWith(mark))?.slice(mark.length);
  const topic = part('t:');
  const user = part('u:');
  const task = part('k:');
  return {
    channel: decode(channel),
    chat: decode(chat),
    ...(topic === undefined ? {} : { topic: decode(topic) }),
    ...(user === undefined ? {} : { user: decode(user) }),
    ...(task === undefined ? {} : { task: decode(task) }),
  };
}

export interface ImUserName {
  readonly channelType: string;
  /** The platform's workspace, tenant or corp; empty where it has none. */
  readonly tenant: string;
  readonly user: string;
}

/** Builds the key of an IM user, e.g. `slack/T012/U345` or `telegram//7`. */
export function imUserKey(name: ImUserName): ImUserKey {
  return [name.channelType, name.tenant, name.user].map(encode).join('/') as ImUserKey;
}

/** Reads a key that {@link imUserKey} built. */
export function parseImUserKey(key: ImUserKey | string): ImUserName {
  const [channelType = '', tenant = '', user = ''] = key.split('/');
  return { channelType: decode(channelType), tenant: decode(tenant), user: decode(user) };
}

export const personSubject = (person: PersonId): MemorySubject => `person:${person}` as MemorySubject;
/** `chat`: the key of a whole chat, without topic or user. */
export const chatSubject = (chat: ThreadKey): MemorySubject => `chat:${chat}` as MemorySubject;

/** 12 random bytes after 6 bytes of time: sorts roughly by age, never all digits, safe in URLs and BullMQ job ids. */
function randomId(prefix: string): string {
  const bytes = Buffer.alloc(18);
  bytes.writeUIntBE(Date.now(), 0, 6);
  randomBytes(12).copy(bytes, 6);
  return `${prefix}_${bytes.toString('base64url')}`;
}

export const newThreadId = (): ThreadId => randomId('t') as ThreadId;
export const newRunId = (): RunId => randomId('r') as RunId;
export const newScheduleId = (): ScheduleId => randomId('s') as ScheduleId;
export const newAuditId = (): string => randomId('a');
export const newPersonId = (): PersonId => randomId('p') as PersonId;
export const newFactId = (): string => randomId('m');
export const newFileId = (): FileId => randomId('f') as FileId;

/**
 * The id of a file that came with a message: whoever handles the message finds the same, so that its bytes are fetched
 * and kept once. `ref` is the adapter's id of the file.
 */
export function inboundFileId(channel: string, chat: string, messageId: string, ref: string): FileId {
  const digest = createHash('sha256').update(JSON.stringify([channel, chat, messageId, ref]));
  return `fi_${digest.digest('base64url')}` as FileId;
}

/** Without letters that are taken for digits; the first five tell a chat's tasks apart. */
const TASK_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TASK_ID_CHARS = 10;

/** The id of the task that is made of one request: whoever makes it again finds the same. */
export function taskId(origin: string): TaskId {
  const digest = createHash('sha256').update(origin).digest();
  return Array.from({ length: TASK_ID_CHARS }, (_, n) => TASK_ALPHABET[(digest[n] ?? 0) % 32]).join('') as TaskId;
}

const TASK_MARK = 'task/';

/** The id of something that is said about a task. Its sender tells the task which message it has become. */
export const taskDeliveryId = (task: TaskId, what: string): DeliveryId => `${TASK_MARK}${task}/${what}` as DeliveryId;

/** Which task a delivery is about; null: none. */
export function taskOfDelivery(id: DeliveryId): TaskId | null {
  const [, task = ''] = id.startsWith(TASK_MARK) ? id.split('/') : [];
  return task === '' ? null : (task as TaskId);
}

/** The id of part `part` of the answer to the turn that began with inbox entry `firstSeq`. */
export const turnDeliveryId = (thread: ThreadId, firstSeq: number, part: number): DeliveryId =>
  `${thread}:${firstSeq}:${part}` as DeliveryId;

/** The id of the `index`-th file that the answer to that turn comes with. */
export const fileDeliveryId = (thread: ThreadId, firstSeq: number, index: number): DeliveryId =>
  `${thread}:${firstSeq}:f${index}` as DeliveryId;

/** What the id of a note about a delivery ends with. */
export const NOTE_MARK = ':note';

/** The id of the note that a delivery may not have arrived. */
export const noteDeliveryId = (delivery: DeliveryId): DeliveryId => `${delivery}${NOTE_MARK}` as DeliveryId;

/** The id of part `part` of an answer given without a run (a command, a refusal) to one inbound message. */
export const answerDeliveryId = (dedupeKey: string, part: number): DeliveryId => `a:${dedupeKey}:${part}` as DeliveryId;
