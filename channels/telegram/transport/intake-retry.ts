import type { Clock } from '../../../src/base/clock.ts';
import { asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { persistentFlow } from '../../../src/channel/persistently.ts';
import type { Receive } from '../receive.ts';
import { updateIdOf } from '../update.ts';

/** From this attempt on, a placeholder is offered in the place of a message that is at fault itself. */
const PLACEHOLDER_AFTER = 5;

export interface RetryOptions {
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Offers updates to intake until it takes them, one that is refused for good again and again as a placeholder. While
 * intake is away, however long, they stay whole. True when they need not come again: taken in, or given up as at fault
 * themselves.
 */
export function persistentReceiver({
  receive,
  clock,
  log,
  signal,
}: RetryOptions): (updates: readonly unknown[]) => Promise<boolean> {
  const offer = persistentFlow({ clock, log });
  return async (updates) => {
    let refusals = 0;
    const receiveOnce = async (attempt: number): Promise<void> => {
      try {
        await receive(updates, refusals >= PLACEHOLDER_AFTER && attempt % 2 === 0 ? 'placeholder' : 'whole');
      } catch (thrown) {
        // Nothing is known of a message to which nobody has listened.
        refusals = asAntlerError(thrown).retryable ? 0 : refusals + 1;
        throw thrown;
      }
    };
    const { kind } = await offer(receiveOnce, {
      about: { update: updateIdOf(updates[0]) },
      signal,
    });
    return kind !== 'stopped';
  };
}
