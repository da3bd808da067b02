import type { Role } from '../base/roles.ts';

/** How the work on a message is done. */
export interface Answering {
  /** A key of the configured assistants. */
  readonly assistantId: string;
  /** A name of the configured models. */
  readonly model: string;
  readonly reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
  /** Model calls in one run. */
  readonly maxSteps: number;
  /** Tokens of one run. */
  readonly maxRunTokens: number;
}

/** What something has to say of it; the rest is left to others. */
export type Wishes = Partial<Answering>;

/** What a rule looks at. All lists that are there must fit, each by one of its patterns. */
export interface Match {
  readonly channel?: readonly string[];
  readonly chat?: readonly string[];
  readonly chatKind?: 'dm' | 'group';
  /** `<channel>/<user id>`. */
  readonly user?: readonly string[];
  readonly role?: readonly string[];
  /** Without its slash. */
  readonly command?: readonly string[];
  readonly mention?: readonly string[];
  readonly text?: readonly string[];
}

export interface RoutingRule extends Wishes {
  readonly match: Match;
  readonly assistantId: string;
}

/** What was asked where, by whom. */
export interface Question {
  readonly channel: string;
  readonly chat: string;
  readonly chatKind: 'dm' | 'group';
  readonly user: string;
  readonly role: Role;
  readonly text: string;
  /** The names of those whom it mentions. */
  readonly mentions: readonly string[];
}

/** Where a setting comes from, from what counts most to what counts least. */
export type Source =
  | { readonly from: 'choice' }
  | { readonly from: 'rule'; readonly rule: number }
  | { readonly from: 'user' | 'chat' | 'channel' | 'default' };

/** What one source wants. */
export interface Wanting {
  readonly source: Source;
  readonly wishes: Wishes;
}

export interface Effective<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** A rule, and why it did not decide: the first part of its match that does not fit; null: it did. */
export interface Tried {
  readonly rule: number;
  readonly why: keyof Match | 'after another' | null;
}

/** Somebody wants what the role of the asker may not use. */
export interface Refused {
  readonly source: Source;
  readonly setting: 'assistantId' | 'model';
  readonly name: string;
}

export interface Route {
  /** Null: the role may use no assistant that anything leads to. */
  readonly assistantId: Effective<string> | null;
  readonly settings: { readonly [Key in Exclude<keyof Answering, 'assistantId'>]?: Effective<Answering[Key]> };
  readonly tried: readonly Tried[];
  readonly refused: readonly Refused[];
}
