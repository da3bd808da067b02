import type { DeadLetter } from '../bus/port.ts';
import type { ConnectionStatus } from '../channel/port.ts';

/**
 * What an operator can see and do. The same for the HTTP API, and for the command line whether it goes through a
 * running Antler or to the bus itself; the shapes below are those of the API's JSON.
 */
export interface Operator {
  overview(): Promise<Overview>;
  /** The newest `limit` dead letters, newest first. */
  deadLetters(limit: number): Promise<LetterList>;
  /** Puts a dead letter back where it came from. Throws `not_found`. */
  replay(id: string): Promise<void>;
  /** All that are there now, oldest first, so that each chat keeps its order. */
  replayAll(): Promise<Swept>;
  /** Throws a dead letter away. Throws `not_found`. */
  drop(id: string): Promise<void>;
  dropAll(): Promise<Swept>;
  /** Throws `not_found` for a channel that is not configured; pausing a paused one changes nothing. */
  pause(channel: string): Promise<void>;
  /** A channel that was paused can be resumed although it is not configured any more. */
  resume(channel: string): Promise<void>;
  /** Hands in the number that an app shows during a login. Throws `unavailable` where no running gateway is asked. */
  enterLoginCode(channel: string, code: string): Promise<void>;
  /** Who asks to be let in, and who was. Throws `unavailable` where no running gateway is asked; so do the next three. */
  pairing(): Promise<PairingView>;
  /** Throws `not_found`. */
  approvePairing(code: string): Promise<PairedView>;
  /** Throws `not_found`. */
  denyPairing(code: string): Promise<PairedView>;
  /** Shuts somebody out again who was let in by a code. Throws `not_found`. */
  revokePairing(channel: string, user: string): Promise<void>;
  /**
   * Those who have used most tokens today, most first, at most `limit`. Throws `unavailable` where no running gateway is
   * asked.
   */
  usage(limit: number): Promise<UsageView>;
}

export interface UsageView {
  readonly consumers: readonly ConsumerView[];
}

/** How a person (with all their accounts), a chat, a channel or an assistant stands. Moments in milliseconds since the epoch. */
export interface ConsumerView {
  readonly scope: 'person' | 'chat' | 'channel' | 'assistant';
  readonly id: string;
  /** Null: has none. */
  readonly name: string | null;
  /** `used` and `limit` are tokens. */
  readonly day: WindowView & {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly runs: number;
    readonly cost: readonly { readonly currency: string; readonly amount: number }[];
  };
  /** `used` and `limit` are answers. */
  readonly hour: WindowView;
  /** Answers that are worked on; null: they are counted only where there is a limit. */
  readonly now: { readonly used: number; readonly limit: number } | null;
}

export interface WindowView {
  readonly starts_at: number;
  readonly resets_at: number;
  readonly used: number;
  /** Null: none. */
  readonly limit: number | null;
}

/** Whom a code is about. */
export interface PairedView {
  readonly channel: string;
  readonly user: string;
  readonly name: string;
}

export interface PairingView {
  /** Oldest first; `at` in milliseconds since the epoch. */
  readonly requests: readonly (PairedView & { readonly code: string; readonly at: number })[];
  /** Oldest first. */
  readonly admitted: readonly (PairedView & { readonly by: string; readonly at: number })[];
}

export interface Overview {
  readonly bus: BusFigures;
  readonly channels: readonly ChannelView[];
}

export interface BusFigures {
  readonly queued_threads: number;
  readonly running_threads: number;
  readonly waiting_inputs: number;
  readonly pending_deliveries: number;
  readonly dead_letters: number;
}

/**
 * `standby`: another gateway holds the connection; `unknown`: no running gateway was asked; `absent`: the channel is not
 * configured (any more).
 */
export type Connection = ConnectionStatus | { readonly state: 'standby' | 'unknown' | 'absent' };

export interface ChannelView {
  readonly name: string;
  readonly paused: boolean;
  readonly connection: Connection;
}

export interface LetterList {
  /** How many there are in all. */
  readonly total: number;
  readonly letters: readonly LetterView[];
}

/** A dead letter without what nobody should see at a glance: its content is cut and holds no secrets. */
export interface LetterView {
  readonly id: string;
  readonly kind: DeadLetter['kind'];
  /** When it was given up, in milliseconds since the epoch. */
  readonly at: number;
  readonly error: string;
  readonly channel?: string;
  readonly chat?: string;
  readonly thread?: string;
  /** What was said, oldest first; only the first few. */
  readonly said: readonly Said[];
  /** How many more messages it holds. */
  readonly more: number;
}

/** One message in one line. */
export interface Said {
  /** A person's name; null: the bot. */
  readonly who: string | null;
  readonly at: number;
  readonly text: string;
}

/** What became of all dead letters. `left`: there were too many for one time. */
export interface Swept {
  readonly done: number;
  readonly left: number;
}
