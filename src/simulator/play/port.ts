/**
 * A simulated platform as its people use it, the same for all platforms: Ann and Bo, each alone with the bot, and both
 * with it in a group. The demo page plays it, and the conformance suite checks every adapter by it.
 */
export interface Playground {
  /** The channel type, e.g. `telegram`. */
  readonly type: string;
  /** The platform's own name, e.g. `Telegram`. */
  readonly title: string;
  /** What the channel's own settings must say to reach this platform. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** How people call the bot in a group, e.g. `@antler_bot`. */
  readonly botName: string;
  readonly ann: Player;
  readonly bo: Player;
  readonly annAlone: PlayChat;
  readonly boAlone: PlayChat;
  /** Absent where the platform gives bots no groups. */
  readonly group?: PlayChat;
  /** Says something and returns the message's id. In a group `toBot` addresses the bot as people do there. */
  say(player: Player, chat: PlayChat, said: Said): Promise<string>;
  /** How often a bot may speak after each message of a person. Default: as often as it likes. */
  readonly answersPerMessage?: number;
  /** False where bots are not told what a message quotes. Default: true. */
  readonly quotes?: boolean;
  edit?(player: Player, chat: PlayChat, id: string, text: string): Promise<void>;
  recall?(player: Player, chat: PlayChat, id: string): Promise<void>;
  /** Presses a button of a message by its label. Absent: buttons are shown as text. */
  press?(player: Player, chat: PlayChat, id: string, label: string): Promise<void>;
  /** What people see in the chat now, oldest first. */
  shown(chat: PlayChat): readonly PlayMessage[];
  /** The bytes of a file that is shown. */
  content(file: PlayFile): Uint8Array;
  /** Calls back after whatever may have changed what a chat shows, and when the bot is seen typing. */
  subscribe(listener: (change: PlayChange) => void): () => void;
  /** Delivers the newest thing that the bot was told of once more. Absent where the platform never does. */
  redeliver?(): Promise<void>;
  /** Where the bot itself is logged in by a code that somebody scans. Absent: it has what it needs. */
  readonly login?: PlayLogin;
  /** Enters the webhook's address where the platform's admin would; for transports whose adapter does not do it. */
  connect?(webhookUrl: string): Promise<void>;
  /** Requests to the webhook that the platform did not make: unsigned, wrongly signed, replayed too late, cut off. */
  forgeries?(webhookUrl: string): Promise<readonly Request[]>;
  stop(): Promise<void>;
}

export interface PlayLogin {
  /** What the code says that waits to be scanned; undefined while none does. */
  waiting(): string | undefined;
  /** Ann scans it and confirms on her phone. */
  scan(): void;
}

export interface Player {
  readonly id: string;
  readonly name: string;
  readonly language: 'en' | 'zh';
}

export interface PlayChat {
  /** As adapters know it. */
  readonly id: string;
  readonly kind: 'dm' | 'group';
  readonly title: string;
}

export interface Said {
  readonly text: string;
  /** In a group: to the bot. Default: to the others. */
  readonly toBot?: boolean;
  /** The id of the message that this one quotes or replies to. */
  readonly quoting?: string;
  readonly file?: { readonly name: string; readonly mime: string; readonly content: Uint8Array };
}

export interface PlayFile {
  readonly id: string;
  readonly name: string;
  readonly isImage: boolean;
}

/** A message as people see it. */
export interface PlayMessage {
  readonly id: string;
  readonly by: { readonly id: string; readonly name: string; readonly isBot: boolean };
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The words as they are read, without markup. */
  readonly text: string;
  /** Parts of `text` that look otherwise, in UTF-16 code units; `mention` calls the user `user`. */
  readonly looks: readonly Look[];
  readonly buttons: readonly string[];
  readonly files: readonly PlayFile[];
  /** How often it was edited. */
  readonly edits: number;
  readonly quoting?: { readonly id: string; readonly name: string; readonly text: string };
}

export interface Look {
  readonly kind: 'bold' | 'italic' | 'strike' | 'code' | 'block' | 'link' | 'mention' | 'heading' | 'quote';
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly user?: string;
}

export type PlayChange =
  | { readonly type: 'chat'; readonly chat: PlayChat }
  | { readonly type: 'login' }
  | { readonly type: 'typing'; readonly chat: PlayChat; readonly forMs: number };
