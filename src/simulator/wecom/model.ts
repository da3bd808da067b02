export interface Person {
  /** Of a member; people of other companies have one that begins with `wo`. */
  readonly userId: string;
  readonly name: string;
}

/** An AI bot (智能机器人). */
export interface Bot {
  readonly kind: 'bot';
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  /** Of its callback. */
  readonly token: string;
  readonly aesKey: string;
  /** Where it is called; absent: by its long connection. */
  url?: string;
}

/** A self-built app (自建应用). */
export interface App {
  readonly kind: 'app';
  readonly corpId: string;
  readonly agentId: string;
  readonly secret: string;
  readonly name: string;
  readonly token: string;
  readonly aesKey: string;
  url?: string;
  /** Addresses that may call the API for it; empty: all. */
  readonly trustsNobody: { now: boolean };
  readonly tokens: Map<string, number>;
}

export interface Chat {
  /** Of a direct chat, the person's user id. */
  readonly id: string;
  readonly kind: 'dm' | 'group';
  readonly title: string;
  readonly people: readonly Person[];
  readonly with: Bot | App;
  readonly messages: Message[];
}

export interface SharedFile {
  readonly id: string;
  readonly kind: 'image' | 'voice' | 'video' | 'file';
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Card {
  readonly taskId: string;
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly { readonly text: string; readonly key: string }[];
  /** What stands for the buttons once they cannot be pressed any more. */
  readonly replaced?: string;
}

export interface Message {
  readonly id: string;
  readonly chat: Chat;
  readonly from: Person | Bot | App;
  readonly fromBot: boolean;
  readonly at: number;
  /** As it was written: Markdown is not taken off. */
  text: string;
  /** Every stand that people have seen, oldest first. */
  readonly history: string[];
  readonly file?: SharedFile;
  card?: Card;
  readonly quoting?: Message;
  /** Of a growing answer. */
  stream?: { readonly id: string; finished: boolean };
  recalledAt?: number;
}

/** Something that a bot or app is told, in the platform's words. */
export interface Push {
  readonly to: Bot | App;
  readonly chat: Chat;
  /** The body of a bot's message or event; for apps, the elements of the XML. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type WecomEvent =
  | { readonly type: 'message' | 'edit' | 'recall'; readonly chat: Chat; readonly message: Message }
  /** An answer is begun that has no word yet. */
  | { readonly type: 'typing'; readonly chat: Chat };
