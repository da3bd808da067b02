/** A person with WeChat on a phone. */
export interface Person {
  /** `…@im.wechat` */
  readonly id: string;
  readonly name: string;
}

/** A bot: what scanning a QR code brings into being. */
export interface Bot {
  /** `…@im.bot` */
  readonly id: string;
  /** Whose bot it is. */
  readonly owner: Person;
  /** Valid until the next login, or until the login is ended. */
  token: string;
  readonly queue: Queued[];
}

/** A direct chat of a person with a bot. */
export interface Chat {
  readonly bot: Bot;
  readonly person: Person;
  readonly messages: ChatMessage[];
  /** Of the person's newest message; bots answer with it. */
  contextToken: string;
  /** Of the bot, since the person last wrote. */
  replies: number;
  lastFromPersonAt: number;
}

export interface ChatMessage {
  /** An unsigned 64-bit number, in digits. */
  readonly id: string;
  readonly from: Person | Bot;
  readonly fromBot: boolean;
  readonly at: number;
  readonly text: string;
  readonly file?: SharedFile;
  readonly quoting?: ChatMessage;
  /** What the bot called it. */
  readonly clientId?: string;
  recalledAt?: number;
}

export type FileKind = 'image' | 'voice' | 'file' | 'video';

/** A file that somebody has shared, as people see it. */
export interface SharedFile {
  readonly kind: FileKind;
  readonly name: string;
  readonly content: Uint8Array;
}

/** One message on its way to a bot, as JSON: ids in it are numbers that JavaScript cannot hold. */
export interface Queued {
  readonly position: number;
  readonly json: string;
}
