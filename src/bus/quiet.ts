import type { BusyPolicy, Quiet } from '../channel/busy.ts';
import type { Cut, Waiting } from './policy.ts';
import type { ThreadState } from './port.ts';

/** What an input brings along for the wait of its turn; fixed when it comes. Times in milliseconds. */
export interface Patience {
  readonly cameAt: number;
  /** The thread was idle when the input's turn began to gather. */
  readonly fresh: boolean;
  /** From `cameAt` on, for more of the same burst. */
  readonly waitMs: number;
  /** Since the turn's first input. */
  readonly mostMs: number;
}

/** An input that waits, as far as the wait of its turn is concerned. */
export type Patient = Waiting & Patience;

export interface Arrival {
  readonly busy: BusyPolicy;
  readonly quiet: Quiet;
  readonly found: ThreadState['state'];
  /** The first input of the turn that waits for more; null when none does. */
  readonly joins: Patience | null;
  readonly at: number;
}

export function patienceOf({ busy, quiet, found, joins, at }: Arrival): Patience {
  const fresh = joins === null ? found === 'idle' : joins.fresh;
  const interrupts = busy === 'interrupt' && found === 'running';
  const waitMs = interrupts ? 0 : fresh ? quiet.whenIdleMs : quiet.whenBusyMs;
  return { cameAt: at, fresh, waitMs: Math.max(0, waitMs), mostMs: Math.max(0, quiet.mostMs) };
}

/**
 * When a turn may begin, in milliseconds since the epoch; a time that has passed: at once. With a turn that is known
 * to wait for more, its first and its newest input are enough.
 */
export function beginsAt({ turn, closed }: Cut<Patient>): number {
  const [first] = turn;
  const newest = turn.at(-1);
  if (first === undefined || newest === undefined) return 0;
  const hurried = turn.some((input) => input.busy === 'interrupt' && input.waitMs === 0);
  if (closed || first.tried || hurried) return first.cameAt;
  return Math.min(newest.cameAt + newest.waitMs, first.cameAt + newest.mostMs);
}
