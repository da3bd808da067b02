import type { Clock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { persistentFlow } from '../../../src/channel/persistently.ts';
import type { Receive } from '../receive.ts';
import { updateIdOf } from '../update.ts';

/** From this attempt on, a placeholder is offered instead of the message. */
const PLACEHOLDER_AFTER = 5;

export interface RetryOptions {
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Offers updates to intake until it takes them, one that fails again and again as a placeholder. True when they need
 * not come again: taken in, or given up as at fault themselves.
 */
export function persistentReceiver({
  receive,
  clock,
  log,
  signal,
}: RetryOptions): (updates: readonly unknown[]) => Promise<boolean> {
  const offer = persistentFlow({ clock, log });
  return async (updates) => {
    const { kind } = await offer(
      (attempt) => receive(updates, attempt > PLACEHOLDER_AFTER && attempt % 2 === 0 ? 'placeholder' : 'whole'),
      { about: { update: updateIdOf(updates[0]) }, signal },
    );
    return kind !== 'stopped';
  };
}
