/** An account of a tenant's member. */
export interface User {
  readonly openId: string;
  readonly unionId: string;
  readonly userId: string;
  readonly name: string;
  readonly tenantKey: string;
  /** Ids of the departments that they are in. */
  departments: readonly string[];
}

export interface Department {
  readonly id: string;
  readonly name: string;
  readonly parent?: Department;
}

/** A bot: a self-built app with its credentials. */
export interface App {
  readonly appId: string;
  secret: string;
  readonly openId: string;
  readonly name: string;
  readonly tenantKey: string;
  /** Which messages of a group it gets: all (scope `im:message.group_msg`) or only those that mention it. */
  hears: 'all' | 'mentions';
  /** Scopes that it lacks: calls that need one are refused. */
  readonly lacks: Set<string>;
  readonly tokens: Map<string, number>;
}

export interface Chat {
  readonly id: string;
  readonly kind: 'p2p' | 'group' | 'topic';
  title: string;
  readonly users: User[];
  readonly apps: App[];
  readonly messages: Message[];
  disbanded: boolean;
}

export interface Mention {
  readonly key: string;
  readonly openId: string;
  readonly name: string;
}

export interface Reaction {
  readonly id: string;
  readonly emoji: string;
  readonly by: User | App;
}

/** One message as the simulator keeps it. */
export interface Message {
  readonly chat: Chat;
  readonly id: string;
  readonly from: User | App;
  type: string;
  /** As the API has it: JSON in a string. */
  content: string;
  readonly mentions: readonly Mention[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly rootId?: string;
  readonly parentId?: string;
  threadId?: string;
  readonly card?: Card;
  /** Messages inside a merged forward. */
  readonly children?: readonly Message[];
  edits: number;
  editedAt?: number;
  recalledAt?: number;
  readonly reactions: Reaction[];
  /** Every text that people have seen in this place, oldest first. */
  readonly history: string[];
}

/** A card, sent with a message or made beforehand as an entity. */
export interface Card {
  readonly id: string;
  readonly app: App;
  json: CardJson;
  readonly madeAt: number;
  sequence: number;
  /** When streaming was switched on; absent while it is off. */
  streamingSince?: number;
  message?: Message;
  readonly uuids: Set<string>;
}

export interface CardJson {
  readonly schema?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly header?: unknown;
  readonly body?: { readonly elements?: readonly CardElement[] };
  readonly elements?: readonly CardElement[];
}

export type CardElement = Readonly<Record<string, unknown>>;

export const isApp = (account: User | App): account is App => 'appId' in account;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
