import type { Logger } from '../base/logger.ts';

/** Anybody can make such requests, so this is said of each channel once in a while. */
const SILENCE_MS = 600_000;

const UNAUTHORIZED = 401;

/** A wrong secret shows nowhere else: no platform can be asked for it, and its own people see only that nothing comes. */
export function webhookRefusals(
  log: Logger,
  now: () => number = Date.now,
): (channel: string, answer: Pick<Response, 'status'>) => void {
  /** By channel, of which there are as many as configured. */
  const said = new Map<string, number>();
  return (channel, { status }) => {
    if (status !== UNAUTHORIZED || now() - (said.get(channel) ?? -Infinity) < SILENCE_MS) return;
    said.set(channel, now());
    log.warn(
      { channel },
      'refused a request to the webhook that does not prove where it comes from; if it was the platform’s, the channel’s secret is wrong',
    );
  };
}
