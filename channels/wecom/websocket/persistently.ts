import type { Clock } from '../../../src/base/clock.ts';
import { asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';

/** From this attempt on, what alone is refused while other things pass is given up. */
const GIVE_UP_AFTER = 10;

export interface PersistentOptions<Item> {
  readonly receive: (item: Item) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Offers what came to intake until it is taken: WeCom does not deliver it again. While intake is down that may be for
 * long, since nothing may be lost; one message that fails again and again while others pass is at fault itself.
 */
export function persistently<Item>({
  receive,
  clock,
  log,
}: PersistentOptions<Item>): (item: Item, signal: AbortSignal) => Promise<void> {
  let passed = 0;
  return async (item, signal) => {
    const passedBefore = passed;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await receive(item);
        passed++;
        return;
      } catch (thrown) {
        const error = asAntlerError(thrown);
        const fields = { attempt, code: error.code, problem: error.message };
        if (attempt >= GIVE_UP_AFTER && !error.retryable && passed > passedBefore) {
          log.error(fields, 'gave up a message that intake refuses while it takes others');
          return;
        }
        log.warn(fields, 'intake did not take a message; it is offered again');
        await clock.sleep(backoffMs(attempt), signal).catch(() => {}); // stopped
      }
    }
  };
}
