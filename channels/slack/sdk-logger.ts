import type { LogLevel } from '@slack/bolt';
import type { Logger } from '../../src/base/logger.ts';

/**
 * What the SDK logs with. Its lines hold message bodies and whole answers, so only the beginning of warnings is kept,
 * and its debug lines are not made at all.
 */
export function sdkLogger(log: Logger, level: LogLevel) {
  const line = (parts: readonly unknown[]): string =>
    parts
      .map(String)
      .join(' ')
      .slice(0, 200)
      .replace(/xox\w-\S+|xapp-\S+/g, '…');
  return {
    debug: () => {},
    info: () => {},
    warn: (...parts: unknown[]) => log.debug({ sdk: line(parts) }, 'the Slack SDK warns'),
    error: (...parts: unknown[]) => log.debug({ sdk: line(parts) }, 'the Slack SDK reports an error'),
    setLevel: () => {},
    getLevel: () => level,
    setName: () => {},
  };
}
