import type { Clock } from '../../../src/base/clock.ts';
import { asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import { type Handout, typeOf } from '../normalize/handout.ts';
import type { Receive, Taken } from '../receive.ts';

/** What intake refuses for a reason that does not pass is offered so often. */
const TRIES = 4;
/** What it refuses for a passing reason, for about ten minutes: Slack itself gives an event up after six. */
const TRIES_WHILE_AWAY = 25;

export interface PersistentOptions {
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Offers a handout to intake until it is taken; undefined when it is given up, and must not be acknowledged. Slack
 * repeats an event a few times only, so a longer outage of ours has to be sat out here.
 */
export function persistently({
  receive,
  clock,
  log,
  signal,
}: PersistentOptions): (handout: Handout) => Promise<Taken | undefined> {
  return async (handout) => {
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return await receive(handout);
      } catch (thrown) {
        const error = asAntlerError(thrown);
        const about = { type: typeOf(handout), attempt, code: error.code, problem: error.message };
        if (attempt >= (error.retryable ? TRIES_WHILE_AWAY : TRIES)) {
          log.error(about, 'gave up an event that intake does not take');
          return undefined;
        }
        log.warn(about, 'intake did not take an event; it is offered again');
        await clock.sleep(backoffMs(attempt), signal).catch(() => {}); // stopped
      }
    }
    return undefined;
  };
}
