import type { MembershipFacts, MessageFacts, Person } from '../normalize/facts.ts';

/** How the name of the folder begins that the process has as its home. */
export const HOME_PREFIX = 'antler-wechaty-';

/** How the bot reaches WeChat. */
export type PuppetSettings =
  | { readonly puppet: 'wechaty-puppet-wechat4u' }
  | {
      readonly puppet: 'wechaty-puppet-service';
      readonly token: string;
      /** host:port; without it the token is looked up at wechaty's own service. */
      readonly endpoint?: string;
      readonly tls: boolean;
    };

/** What the gateway tells the process that runs the bot. */
export type Order =
  | {
      readonly kind: 'start';
      readonly settings: PuppetSettings;
      readonly memory: string | null;
      readonly dingMs: number;
    }
  | { readonly kind: 'call'; readonly call: number; readonly task: Task };

/** What the bot is to do in WeChat. */
export type Task =
  | { readonly kind: 'text'; readonly chat: string; readonly text: string; readonly mentions: readonly string[] }
  | { readonly kind: 'file'; readonly chat: string; readonly name: string; readonly content: Uint8Array }
  | { readonly kind: 'fetch'; readonly message: string; readonly maxBytes: number };

/** What came of a {@link Task}. */
export interface Outcomes {
  /** Not every puppet tells the id of what it sent. */
  readonly text: { readonly id?: string };
  readonly file: { readonly id?: string };
  readonly fetch: { readonly content: Uint8Array; readonly name: string };
}

/** What went wrong inside, as far as it can be told across processes. Never holds the token. */
export interface Fault {
  readonly message: string;
  /** gRPC's status as a number; the system's name of an error, `RET_` and WeChat's `Ret`, or one of {@link faults}. */
  readonly code?: number | string;
}

/** Codes of our own. */
export const faults = { notLoggedIn: 'NOT_LOGGED_IN', tooLarge: 'TOO_LARGE', lost: 'LOST', late: 'LATE' } as const;

/** What that process tells the gateway. */
export type News =
  /** wechaty has started; a login may still be due. */
  | { readonly kind: 'started' }
  /** A sign of life of the puppet. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'scan'; readonly code: string; readonly state: 'waiting' | 'scanned' | 'cancelled' }
  | { readonly kind: 'login'; readonly account: Person }
  | { readonly kind: 'logout' }
  | { readonly kind: 'message'; readonly facts: MessageFacts }
  | { readonly kind: 'membership'; readonly facts: MembershipFacts }
  /** Something that only the account's owner decides about. */
  | { readonly kind: 'request'; readonly about: 'friendship' | 'room-invite' }
  /** The login, as the puppet wants to remember it; a JSON text. */
  | { readonly kind: 'memory'; readonly memory: string }
  /** An error that the bot survives. */
  | { readonly kind: 'trouble'; readonly fault: Fault }
  /** An error that it does not. */
  | { readonly kind: 'dead'; readonly fault: Fault }
  | { readonly kind: 'done'; readonly call: number; readonly outcome: Outcomes[Task['kind']] }
  | { readonly kind: 'failed'; readonly call: number; readonly fault: Fault };
