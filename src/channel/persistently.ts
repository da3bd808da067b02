import type { Clock } from '../base/clock.ts';
import { type AntlerError, asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { backoffMs } from './backoff.ts';

/** Intake fails by our own bus or database, which may well be asked often: a person waits behind every offer. */
const MOST_WAIT_MS = 2_000;

export interface FlowOptions {
  readonly clock: Clock;
  readonly log: Logger;
}

export interface PersistentOptions extends FlowOptions {
  /** Tells in logs what is offered: ids and kinds, never content. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Is what failed so often (1: once), this time with this error, not offered again? */
  readonly givesUp: (error: AntlerError, attempt: number) => boolean;
  readonly signal: AbortSignal;
}

/** What became of it; `stopped`: the signal aborted first, and it may come again. */
export type Offered<Taken> =
  | { readonly kind: 'taken'; readonly value: Taken }
  | { readonly kind: 'given_up' | 'stopped' };

/** Offers something to intake until it is taken, for platforms that deliver it again a few times only, or never. */
export async function persistently<Taken>(
  offer: (attempt: number) => Promise<Taken>,
  { about, givesUp, clock, log, signal }: PersistentOptions,
): Promise<Offered<Taken>> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return { kind: 'taken', value: await offer(attempt) };
    } catch (thrown) {
      const error = asAntlerError(thrown);
      const fields = { ...about, attempt, code: error.code, problem: error.message };
      if (givesUp(error, attempt)) {
        log.error(fields, 'gave up what intake does not take');
        return { kind: 'given_up' };
      }
      log.warn(fields, 'intake did not take something; it is offered again');
      await clock.sleep(backoffMs(attempt, Math.random, MOST_WAIT_MS), signal).catch(() => {}); // stopped
    }
  }
  return { kind: 'stopped' };
}

/** From this attempt on, what alone is refused while other things pass is given up. */
const GIVE_UP_AFTER = 10;

/**
 * Offers one thing after another like {@link persistently}. While intake is down that may be for long, since nothing
 * may be lost; one that fails again and again while others pass is at fault itself and is given up, so that what is
 * behind it gets through.
 */
export function persistentFlow({ clock, log }: FlowOptions) {
  let passed = 0;
  return async <Taken>(
    offer: (attempt: number) => Promise<Taken>,
    { about, signal }: Pick<PersistentOptions, 'about' | 'signal'>,
  ): Promise<Offered<Taken>> => {
    const passedBefore = passed;
    const givesUp = ({ retryable }: AntlerError, attempt: number): boolean =>
      attempt >= GIVE_UP_AFTER && !retryable && passed > passedBefore;
    const offered = await persistently(offer, { about, givesUp, clock, log, signal });
    if (offered.kind === 'taken') passed++;
    return offered;
  };
}
