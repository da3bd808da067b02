import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { DeliveryId, FileId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { ChannelType, InboundFile, InboundMessage } from './message.ts';

/** Where a delivery goes. */
export interface Target {
  readonly chat: string;
  readonly chatKind: 'dm' | 'group';
  readonly topic?: string;
  /** Platform id of the message that this one is shown as a reply to. */
  readonly replyTo?: string;
  /** Platform ids of all messages that this one answers, whether that is shown or not. */
  readonly answers?: readonly string[];
}

export interface Button {
  readonly label: string;
  /** Comes back as the `text` of an `action` message. */
  readonly value: string;
}

/** A file on its way out, as the outbox keeps it; its bytes lie in the store. */
export interface FileRef {
  readonly id: FileId;
  readonly kind: InboundFile['kind'];
  /** A safe file name with its extension. */
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
}

/**
 * One message on its way out, in the canonical form: Markdown (CommonMark with GFM tables and strikethrough). A link
 * whose destination is `mention:<user id>` (percent-encoded) mentions that person; where a platform has no mentions it
 * reads as the link's text.
 */
export interface Document {
  readonly markdown: string;
  readonly buttons?: readonly Button[];
  /** With a file, `markdown` is its caption, which may be empty. */
  readonly file?: FileRef;
}

/** A file as an adapter is handed it. */
export interface OutgoingFile extends FileRef {
  readonly content: Uint8Array;
}

/** What was said in a chat before the bot was spoken to there, as the platform tells it later. */
export interface EarlierMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whose words they are; empty where nobody tells it. */
  readonly name: string;
  /** The bot's own. */
  readonly fromBot: boolean;
  /** As `earlierText` makes it: files are only named. */
  readonly text: string;
}

export interface EarlierOptions {
  readonly before: Pick<InboundMessage, 'id' | 'sentAt'>;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** What became of the bytes that came with a message. */
export interface FetchedFile {
  readonly content: Uint8Array;
  /** Where the platform tells them only now. */
  readonly name?: string;
  readonly mime?: string;
}

export interface FetchOptions {
  /** Reading ends with `too_large` as soon as there would be more. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface SendOptions {
  /** Stable across retries; adapters pass it to platforms that take an idempotency key. */
  readonly key: DeliveryId | string;
  /** Send as plain text because the platform refused the formatting before. */
  readonly plain?: boolean;
  /** The text is a stand of an answer that is still growing; more follows by edits. */
  readonly draft?: boolean;
  readonly signal?: AbortSignal;
}

export interface SentMessage {
  readonly id: string;
}

/** What a channel can do, as data: nothing else in Antler asks for a platform's name. */
export interface Capabilities {
  readonly edit: boolean;
  readonly delete: boolean;
  /** `native`: the adapter has its own stream; `edit`: delivery streams by edits; `none`: only the final text. */
  readonly stream: 'native' | 'edit' | 'none';
  readonly typing: boolean;
  /** Tells of people's reactions to messages. */
  readonly reactions: boolean;
  readonly topics: boolean;
  /** What was said in a group before can be read, see {@link Adapter.earlier}. */
  readonly history: boolean;
  readonly buttons: boolean;
  /** Shows a `mention:` link as a mention that notifies the person. */
  readonly mentions: boolean;
  /** The largest file that can be fetched, in bytes; 0: none. */
  readonly maxFileInBytes: number;
  /** The largest file that can be sent, in bytes; 0: none. */
  readonly maxFileOutBytes: number;
  /** The platform answers a second send under the same key with the first one, for this long, in milliseconds; 0: never. */
  readonly knowsRepeatsForMs: number;
  readonly textUnit: 'utf16' | 'bytes' | 'chars';
  /** In `textUnit`, of one message. */
  readonly maxText: number;
}

/** One limit of rate: at most `count` calls in any window of `windowMs`, counted under `scope` by all replicas. */
export interface RateLimit {
  /**
   * Unique within the whole installation, e.g. `telegram:chat:-100123`. One that ends with `:` and the target's chat is
   * that chat's own; any other is shared, and a bus of several shards divides it among them.
   */
  readonly scope: string;
  readonly count: number;
  readonly windowMs: number;
}

/** How fast a growing answer may be shown. */
export interface StreamPace {
  /** At least this long between two edits of one message, in milliseconds. */
  readonly minIntervalMs: number;
  /** A typing indicator lasts this long on the platform, in milliseconds; 0 where there is none. */
  readonly typingLastsMs: number;
}

export interface Health {
  readonly ok: boolean;
  /** Who the bot is on the platform, e.g. `@antler_bot`. */
  readonly identity?: string;
  /** What is wrong and what to do about it, in English; never holds a secret. */
  readonly problem?: string;
}

/** What an adapter gets from the outside. */
export interface AdapterContext<Config> {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly config: Config;
  /** Its lines name the channel already. */
  readonly log: Logger;
  readonly clock: Clock;
  /**
   * Hands a message to intake. Resolves when it is durable (or refused for good): only then may the platform be told
   * that it was received. Rejects when nothing was stored; then the platform must deliver it again.
   */
  readonly accept: (message: InboundMessage) => Promise<void>;
  /** A small durable memory of the channel: cursors, sync tokens. */
  readonly state: ChannelState;
  /** As `state`, for what must not lie open in the database: tokens of a login. */
  readonly secrets: ChannelState;
  /** For channels whose messages nobody else keeps (the web chat): a durable, ordered message list per chat. */
  readonly hosted: HostedChat;
  /** For the same channels: the files that people send there, and those that they are sent. */
  readonly hostedFiles: HostedFiles;
  /** To all replicas: something was said or is being typed. Lossy; what must not be lost goes through `hosted`. */
  readonly broadcast: Broadcast;
  /** Reports what the channel's connection is doing, for doctor, `/readyz` and the console. */
  readonly report: (status: ConnectionStatus) => void;
  /** Where the outside reaches this channel's webhook; absent when the installation has no public address. */
  readonly webhookUrl?: string;
  /** Stops what the bot is doing in a chat, as `/stop` does; true when something was stopped. */
  readonly stopRun: (target: Pick<Target, 'chat' | 'chatKind' | 'topic'>, user: string) => Promise<boolean>;
  /** Is anything that was said there still waiting to be answered, or being answered? */
  readonly isBusy: (target: Pick<Target, 'chat' | 'chatKind' | 'topic'>, user: string) => Promise<boolean>;
}

export type ConnectionStatus =
  | { readonly state: 'connecting' | 'connected' | 'stopped' }
  /**
   * Somebody has to scan a QR code with the platform's app. `qr`: the text that the code holds; `hint`: what to do, in
   * English. `wantsCode`: the app shows a number that has to be typed in here, see {@link Adapter.enterLoginCode}.
   */
  | { readonly state: 'login'; readonly qr: string; readonly hint: string; readonly wantsCode?: boolean }
  /** `problem` says in English what is wrong and what to do. */
  | { readonly state: 'failing'; readonly problem: string };

export interface ChannelState {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

export interface HostedMessage {
  readonly id: string;
  readonly chat: string;
  /** Position in the chat, ascending. */
  readonly seq: number;
  readonly author: 'person' | 'bot';
  readonly name: string;
  readonly markdown: string;
  readonly at: number;
  /** Files that are shown with it. */
  readonly files?: readonly FileRef[];
}

export interface HostedChat {
  /** Appends, or returns what is stored already under this id. */
  append(message: Omit<HostedMessage, 'seq'>): Promise<HostedMessage>;
  edit(chat: string, id: string, markdown: string): Promise<void>;
  /** The newest `limit` messages, oldest first; with `before`, those with a smaller `seq`. */
  list(chat: string, limit: number, before?: number): Promise<HostedMessage[]>;
}

/** A file on its way into a hosted chat, before its message is said. */
export interface HostedUpload {
  readonly chat: string;
  /** The platform id of who sends it. */
  readonly user: string;
  /** The id of the message that it will come with. */
  readonly message: string;
  /** As the message will name it. */
  readonly file: InboundFile;
}

export interface HostedFiles {
  /** The largest file that may come in, in bytes. */
  readonly maxBytes: number;
  /** Keeps a file, or leaves what is kept under its message and id already. */
  keep(upload: HostedUpload, content: Uint8Array): Promise<FileRef>;
  /** A file that was kept for a message, by its {@link InboundFile.id}. */
  find(chat: string, message: string, ref: string): Promise<FileRef | null>;
  /** Null: it is not there, no more, or in another chat. */
  read(chat: string, id: FileId): Promise<OutgoingFile | null>;
}

export interface Broadcast {
  publish(topic: string, data: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(topic: string, listener: (data: string) => void): () => void;
}

/**
 * The code of one channel, made by its manifest. Adapters raise {@link AntlerError}s and never retry a send: delivery
 * alone retries. Whatever the SDK does, no rejection goes unhandled.
 */
export interface Adapter {
  /** Opens what the channel receives by. Resolves when it runs in the background; bad credentials reject. */
  start(): Promise<void>;
  /** Closes everything; afterwards no timer, socket or listener is left. Sending may still work. */
  stop(): Promise<void>;
  /** Asks the platform who the bot is. Never rejects. */
  probe(signal?: AbortSignal): Promise<Health>;
  send(target: Target, document: Document, options: SendOptions): Promise<SentMessage>;
  edit?(target: Target, messageId: string, document: Document, options: SendOptions): Promise<void>;
  delete?(target: Target, messageId: string): Promise<void>;
  typing?(target: Target): Promise<void>;
  /**
   * Sends a file with `caption` (as Markdown, may be empty), in one message where the platform can.
   * @throws AntlerError `too_large`; `unsupported` for a kind of file that the platform refuses.
   */
  sendFile?(target: Target, file: OutgoingFile, caption: string, options: SendOptions): Promise<SentMessage>;
  /**
   * Fetches the bytes of a file that came with a message. `file` may have been normalised by another process, so its
   * `id` says all that is needed; a token goes to no host but the platform's own.
   * @throws AntlerError `too_large`, `not_found` (expired or deleted); `unavailable` where only the process that holds
   * the connection can do it.
   */
  fetchFile?(file: InboundFile, options: FetchOptions): Promise<FetchedFile>;
  /**
   * What was said before a message, oldest first, the newest `limit` of it: in the target's topic, or without one in the
   * chat. Rejects where the platform refuses.
   */
  earlier?(target: Pick<Target, 'chat' | 'topic'>, options: EarlierOptions): Promise<readonly EarlierMessage[]>;
  /** A number that the platform's app shows during a login, typed in by the owner; any process may be handed it. */
  enterLoginCode?(code: string): Promise<void>;
  /** Ids of the platform's groups that a user is in: user groups, departments. Roles can be given to them. */
  groupsOf?(user: string): Promise<readonly string[]>;
  /** Requests to `/webhooks/<channel name>`. */
  webhook?(request: Request): Promise<Response>;
  /** Requests to any other path, behind the owner's guard; null when the path is not the adapter's. */
  page?(request: Request): Promise<Response | null>;
}

/** What a channel gets from the installation around it. */
export interface Outside {
  /** As {@link AdapterContext.webhookUrl}. */
  readonly webhookUrl: string | undefined;
}

/** Settings that are valid each by itself but cannot work. */
export interface SettingsProblem {
  /** The channel's own key that is to blame. */
  readonly key: string;
  /** What is wrong and what to do; no secret. */
  readonly problem: string;
}

/** Who a channel's bot is on its platform, told from its settings alone. */
export interface Account {
  /** The key that says so. */
  readonly key: string;
  /** The same for two channels exactly when they are the same bot. */
  readonly id: string;
}

/** What `channels/<type>/index.ts` exports: data, and a factory that loads the SDK only when called. */
export interface Manifest<Schema extends z.ZodType = z.ZodType> {
  readonly type: ChannelType;
  readonly title: string;
  /** The channel's own keys in `channels.<name>`; the common ones are added by `config/`. */
  readonly config: Schema;
  readonly capabilities: Capabilities;
  readonly pace: (target: Target) => StreamPace;
  /** The limits that one call to `target` counts against. */
  readonly limits: (channel: string, target: Target, call: 'send' | 'edit') => readonly RateLimit[];
  /** Cuts a document into parts that each fit into one message. Pure; at least one part, none empty. */
  readonly split: (document: Document) => readonly Document[];
  /** True when only one replica may hold the channel's connection (polling, sockets). */
  readonly exclusive: (config: z.output<Schema>) => boolean;
  /** True when sends go through the connection, so that only the process that holds it can send. Absent: never. */
  readonly sendsThroughConnection?: (config: z.output<Schema>) => boolean;
  /** What is different with these settings, e.g. for one of two transports. */
  readonly forSettings?: (
    config: z.output<Schema>,
  ) => Partial<Pick<Manifest, 'capabilities' | 'pace' | 'limits' | 'split'>>;
  /** Can these settings work with what there is around them? Pure; null when they can. */
  readonly problemOf?: (config: z.output<Schema>, outside: Outside) => SettingsProblem | null;
  /** Absent: two channels may be the same bot. */
  readonly account?: (config: z.output<Schema>) => Account;
  readonly create: (context: AdapterContext<z.output<Schema>>) => Promise<Adapter>;
}
