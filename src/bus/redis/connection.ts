import { Redis, type RedisOptions } from 'ioredis';
import { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';

/** How long one command of a caller that must not hang may take, in milliseconds. */
const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A host that vanished sends no word: a connection on which commands wait and nothing comes for so long is opened anew.
 * Longer than BullMQ's longest blocking read (10 s).
 */
const SILENCE_MS = 15_000;
const LONGEST_RETRY_MS = 1_000;
/** Between two lines about the same connection in the log. */
const QUIET_MS = 5_000;

/**
 * `prompt`: fails at once while Redis is away, so that a platform is not told that its message was taken.
 * `patient`: waits until Redis is back and sends again what got no reply; for what must not be given up (commits).
 */
export type Temper = 'prompt' | 'patient';

const common = {
  lazyConnect: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_MS,
  retryStrategy: (times: number) => Math.min(times * 50, LONGEST_RETRY_MS),
} satisfies RedisOptions;

const tempers = {
  prompt: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  patient: { maxRetriesPerRequest: null },
} satisfies Record<Temper, RedisOptions>;

/** Opens a connection. It reconnects by itself; rejects when the first attempt fails. */
export async function connect(url: string, temper: Temper, log: Logger): Promise<Redis> {
  const client = new Redis(url, { ...common, ...tempers[temper] });
  logErrors(client, log);
  // `connect` itself only says that the connection is closed; why, the event tells.
  let reason: unknown;
  const note = (error: Error): void => {
    reason = error;
  };
  client.on('error', note);
  try {
    await client.connect();
    return client;
  } catch (thrown) {
    client.disconnect();
    throw unavailable(reason ?? thrown);
  } finally {
    client.off('error', note);
  }
}

/** Anything that emits 'error' ends the process when nobody listens. One line an outage is enough. */
export function logErrors(
  source: { on(event: 'error', listener: (error: Error) => void): unknown },
  log: Logger,
  message = 'Redis connection trouble',
): void {
  let last = Number.NEGATIVE_INFINITY;
  source.on('error', (error) => {
    if (performance.now() - last < QUIET_MS) return;
    last = performance.now();
    log.warn({ error: error.message || error.name }, message);
  });
}

const passing = /^(LOADING|OOM|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS)/;
const credentials = /^(NOAUTH|WRONGPASS|NOPERM)|invalid password/;

/** What Redis or the way to it answered, as one of ours. Never quotes the address, which may hold a password. */
export function unavailable(thrown: unknown): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (credentials.test(error.message))
    return new AntlerError('unauthorized', 'Redis refuses the credentials. Check the user and password in REDIS_URL.', {
      cause: thrown,
    });
  if (error.name === 'ReplyError' && !passing.test(error.message))
    return new AntlerError('internal', `Redis refused a command: ${error.message}`, { cause: thrown });
  const problem = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return new AntlerError('unavailable', `Redis is not usable (${problem}). Check that it runs and REDIS_URL.`, {
    cause: thrown,
    retryable: true,
  });
}
