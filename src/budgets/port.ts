import type { ImUserKey, ThreadKey } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { Consumer } from '../store/port.ts';

/** What may be used. An absent one has no limit. */
export interface Limits {
  /** Input and output together, by the day of {@link BudgetPolicy.timeZone}. */
  readonly tokensPerDay?: number;
  /** Answers, by the hour of the clock. */
  readonly runsPerHour?: number;
  /** Answers that are worked on at once, in all processes. */
  readonly concurrentRuns?: number;
}

export type LimitName = keyof Limits;

/** Limits as they are configured; `none` lifts one that would count otherwise. */
export type LimitSettings = { readonly [Name in LimitName]?: number | 'none' };

/** Whose limit it is. A person is counted with all their accounts. */
export type Scope = 'person' | 'chat' | 'channel' | 'assistant';

/** What may be used by whom. Nothing in it: no limits. */
export interface BudgetPolicy {
  readonly defaults: Readonly<Record<Scope, LimitSettings>>;
  /** In the place of what persons have otherwise, limit by limit. */
  readonly byRole: Readonly<Partial<Record<Role, LimitSettings>>>;
  /** In the place of everything else, limit by limit. */
  readonly overrides: {
    /** By `accountOf`. */
    readonly users: ReadonlyMap<string, LimitSettings>;
    readonly chats: ReadonlyMap<ThreadKey, LimitSettings>;
    readonly channels: ReadonlyMap<string, LimitSettings>;
    readonly assistants: ReadonlyMap<string, LimitSettings>;
  };
  /** Who is counted, and never stopped. */
  readonly exempt: readonly Role[];
  /** IANA name. By it days begin, for everybody alike: an assistant's own zone would give a person several days at once. */
  readonly timeZone: string;
}

/** What a model's tokens cost, a million of them. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** E.g. `USD`. */
  readonly currency: string;
}

/** By the names of models. */
export type Prices = ReadonlyMap<string, Price>;

export interface Cost {
  readonly currency: string;
  readonly amount: number;
}

/** By whom and where something is asked. */
export interface Asker {
  readonly user: ImUserKey;
  /** Absent: not known, so no role's limits or exemptions count. */
  readonly role?: Role;
  /** The channel's name. */
  readonly channel: string;
  /** The platform's chat id. */
  readonly chat: string;
  readonly chatKind: 'dm' | 'group';
  readonly language: Language;
  /** Moments are told in this zone. IANA name. */
  readonly timeZone: string;
}

/** A run that wants to begin. */
export interface Request extends Asker {
  /** The same for each run of a turn: `<thread>:<first input>`. */
  readonly turn: string;
  readonly assistant: string;
}

export type Verdict =
  | { readonly kind: 'go'; readonly meter: Meter }
  /** `text`: what to say; null: it was said here already. */
  | { readonly kind: 'stop'; readonly text: string | null };

/** Counts what one run uses, and holds its slots until it is disposed of. */
export interface Meter extends AsyncDisposable {
  /** What the run may use at most; absent: no limit. Runs at the same time may each use so much. */
  readonly maxTokens?: number;
  /** Counts a model call, soon. Never fails: an answer is worth more than its count. */
  spend(call: { readonly model: string; readonly inputTokens: number; readonly outputTokens: number }): void;
  /** The run is over: counts the rest, and resolves with what people should hear of it. */
  end(): Promise<readonly string[]>;
}

/** What people, chats, channels and assistants may use, and have used. */
export interface Budgets {
  /**
   * May this run begin? Counts it when it may, once a turn, over all processes. Rejects when the database cannot be asked.
   */
  admit(request: Request): Promise<Verdict>;
  /** What `/usage` says, as Markdown. In a group that is of the group; what somebody has used is theirs to see alone. */
  usageText(asker: Asker): Promise<string>;
  /** For admins: those who have used most today, most first. */
  report(limit: number): Promise<readonly UsageLine[]>;
  /** Ends what goes on in the background. */
  stop(): Promise<void>;
}

/** How somebody stands. */
export interface UsageLine {
  readonly scope: Scope;
  /** A person's id, the key of a chat, or a name of the configuration. */
  readonly id: Consumer['id'];
  /** Of a person; null: has none. */
  readonly name: string | null;
  readonly day: {
    readonly start: number;
    readonly end: number;
    readonly runs: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** One for each currency; models without a price cost nothing. */
    readonly cost: readonly Cost[];
    readonly maxTokens: number | null;
  };
  readonly hour: {
    readonly start: number;
    readonly end: number;
    readonly runs: number;
    readonly maxRuns: number | null;
  };
  /** Slots are held only where there is a limit; null: there is none. */
  readonly now: { readonly running: number; readonly maxRunning: number } | null;
}
