/** A person or a bot. */
export interface User {
  readonly id: string;
  /** The handle, as typed behind `@`. */
  readonly name: string;
  displayName: string;
  readonly isBot: boolean;
  /** As `users.info` reports it, e.g. `zh-CN`. */
  readonly locale: string;
  readonly timezone: string;
}

/** An app installed in the workspace, with its bot. */
export interface App {
  readonly id: string;
  readonly name: string;
  readonly botId: string;
  readonly user: User;
  botToken: string;
  appToken: string;
  readonly signingSecret: string;
  scopes: ReadonlySet<string>;
  /** Where events, interactivity and commands go by HTTP; undefined: by Socket Mode. */
  requestUrl: string | undefined;
  /** Commands it has declared, e.g. `/antler`. */
  readonly commands: ReadonlySet<string>;
}

export interface Channel {
  /** Another one once it is shared with another organisation. */
  id: string;
  readonly kind: 'im' | 'mpim' | 'channel' | 'group';
  readonly name: string;
  /** Ids of the users who are in it. */
  readonly members: Set<string>;
  readonly messages: Message[];
  archived: boolean;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly bytes: Uint8Array;
  readonly user: string;
  /** Further fields, as Slack has them, e.g. `{ mode: 'tombstone' }`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What its bytes come as; default: its own type. */
  readonly servedAs?: string;
}

/** People who are mentioned together, e.g. `@ops`. */
export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  /** Ids of the people in it. */
  readonly members: Set<string>;
}

export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** One message as the simulator keeps it; texts in Slack's own form, with `&lt;` and `<@U1>`. */
export interface Message {
  readonly channel: Channel;
  readonly ts: string;
  readonly user: User;
  readonly app?: App;
  text: string;
  blocks: readonly Block[];
  attachments: readonly Readonly<Record<string, unknown>>[];
  readonly files: readonly StoredFile[];
  readonly threadTs?: string;
  readonly subtype?: string;
  /** Further fields, as Slack has them. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly metadata?: unknown;
  /** Present while and after it is streamed. */
  stream?: { state: 'in_progress' | 'completed'; readonly startedAt: number };
  editedTs?: string;
  deletedAt?: number;
  /** Every text that people have seen in this place, oldest first, the first one included. */
  readonly history: { readonly at: number; readonly text: string }[];
  /** Who reacted with what: emoji name → user ids. */
  readonly reactions: Map<string, Set<string>>;
}

/** What people read: the blocks where there are any, else the text. */
export function shownText({ text, blocks }: Pick<Message, 'text' | 'blocks'>): string {
  const shown = blocks.flatMap((block) => {
    if (block.type === 'markdown') return [String(block.text)];
    const inner = block.text;
    if (block.type === 'section' && typeof inner === 'object' && inner !== null) {
      return [String(Reflect.get(inner, 'text'))];
    }
    return [];
  });
  return shown.length === 0 ? unescapeText(text) : shown.join('\n');
}

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The id of the thread that a reply to this message belongs to. */
export const rootTs = (message: Message): string => message.threadTs ?? message.ts;

export const isVisible = ({ deletedAt }: Message): boolean => deletedAt === undefined;

export const findMessage = (channel: Channel, ts: string | undefined): Message | undefined =>
  channel.messages.find((message) => message.ts === ts && isVisible(message));
