import type { Clock } from '../../../src/base/clock.ts';
import { asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import type { Receive } from '../receive.ts';
import { updateIdOf } from '../update.ts';

/** From this attempt on, a placeholder is offered instead of the message. */
const PLACEHOLDER_AFTER = 5;
/** From this attempt on, an update that alone fails is given up. */
const GIVE_UP_AFTER = 10;

export interface RetryOptions {
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Offers updates to intake until it takes them. While intake itself is down that may be for ever, since nothing may be
 * lost; one update that fails again and again while others pass is at fault itself: it is taken in as a placeholder,
 * or, when even that fails, logged and given up, so that the messages behind it get through.
 */
export function persistentReceiver({
  receive,
  clock,
  log,
  signal,
}: RetryOptions): (updates: readonly unknown[]) => Promise<boolean> {
  let passed = 0;

  return async (updates) => {
    const passedBefore = passed;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await receive(updates, attempt > PLACEHOLDER_AFTER && attempt % 2 === 0 ? 'placeholder' : 'whole');
        passed++;
        return true;
      } catch (thrown) {
        const error = asAntlerError(thrown);
        const about = { update: updateIdOf(updates[0]), attempt, code: error.code, problem: error.message };
        if (attempt >= GIVE_UP_AFTER && !error.retryable && passed > passedBefore) {
          log.error(about, 'gave up an update that intake refuses while it takes others');
          return true;
        }
        log.warn(about, 'intake did not take an update; it is offered again');
        await clock.sleep(backoffMs(attempt), signal).catch(() => {}); // stopped
      }
    }
    return false;
  };
}
