import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';

export type RedisClient = Redis | Cluster;

/** How long one command of a caller that must not hang may take, in milliseconds. */
const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A host that vanished sends no word: a connection on which commands wait and nothing comes for so long is opened anew.
 */
export const SILENCE_MS = 5_000;
/** The same for connections that BullMQ makes for itself, to block on for up to 10 s. */
const BLOCKING_SILENCE_MS = 15_000;
const LONGEST_RETRY_MS = 1_000;
/** Between two lines about Redis in the log of a process. */
const QUIET_MS = 5_000;

/**
 * `prompt`: fails at once while Redis is away, so that a platform is not told that its message was taken.
 * `patient`: waits until Redis is back and sends again what got no reply; for what must not be given up (commits).
 */
export type Temper = 'prompt' | 'patient';

const retryStrategy = (times: number): number => Math.min(times * 50, LONGEST_RETRY_MS);

/**
 * After a failover the old primary answers as a replica on the same connection, or unblocks who waits on it: the way to
 * the new one is a new connection. The command itself is not sent again here; `runPatiently` does that, with pauses.
 */
const reconnectOnError = (error: Error): boolean => /^(READONLY|UNBLOCKED)/.test(error.message);

const tempers = {
  prompt: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
  patient: { maxRetriesPerRequest: null },
} satisfies Record<Temper, RedisOptions>;

/** One that is not connected yet. `url`: one server, or nodes of a cluster, separated by commas. */
export function createClient(url: string, temper: Temper, silenceMs = SILENCE_MS): RedisClient {
  const options = {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: silenceMs,
    reconnectOnError,
    ...tempers[temper],
  } satisfies RedisOptions;
  const nodes = url.split(/,\s*(?=rediss?:\/\/)/);
  if (nodes.length > 1) return createCluster(nodes, options, temper);
  const client = new Redis(url, { ...options, retryStrategy });
  if (temper === 'patient') gatherWrites(client);
  const duplicate = client.duplicate.bind(client);
  client.duplicate = ((override?: RedisOptions) =>
    duplicate({ ...override, socketTimeout: BLOCKING_SILENCE_MS })) as typeof client.duplicate;
  return client;
}

/** So many commands at most leave together: the server works at the first ones while the next are put together. */
const MOST_TOGETHER = 8;

/**
 * What a worker sends in one turn of the event loop, for turns that end at once, leaves in few writes, each of which
 * costs a system call here and one at the server. Order, replies and errors stay those of single commands.
 */
function gatherWrites(client: Redis): void {
  const send = client.sendCommand.bind(client);
  let corked: Redis['stream'] | undefined;
  let commands = 0;
  const release = (): void => {
    corked?.uncork();
    corked = undefined;
  };
  client.sendCommand = (command, stream) => {
    const socket = client.stream;
    if (socket !== undefined && socket !== corked) {
      release();
      socket.cork();
      corked = socket;
      commands = 0;
      process.nextTick(release);
    }
    const sent = send(command, stream);
    commands += 1;
    if (commands >= MOST_TOGETHER) release();
    return sent;
  };
}

function createCluster(nodes: string[], options: object, temper: Temper): Cluster {
  const { username, password, protocol } = new URL(nodes[0] ?? '');
  const redisOptions = {
    ...options,
    // BullMQ blocks on a cluster with the options of the client that it is handed.
    ...(temper === 'patient' ? { socketTimeout: BLOCKING_SILENCE_MS } : {}),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
  return new Cluster(nodes, {
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue: temper === 'patient',
    redisOptions,
  });
}

/** Opens a connection. It reconnects by itself; rejects when the first attempt fails. */
export async function connect(url: string, temper: Temper, log: Logger, silenceMs?: number): Promise<RedisClient> {
  const client = createClient(url, temper, silenceMs);
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

/** When this process last said that something is wrong with Redis. */
let complainedAt = Number.NEGATIVE_INFINITY;

/**
 * Anything that emits 'error' ends the process when nobody listens. Every connection notices an outage, and again at
 * each attempt: one line of all of them every few seconds is enough.
 */
export function logErrors(
  source: { on(event: 'error', listener: (error: Error) => void): unknown },
  log: Logger,
  message = 'Redis connection trouble',
): void {
  source.on('error', (error) => {
    const said = { error: error.message || error.name };
    if (performance.now() - complainedAt < QUIET_MS) return log.debug(said, message);
    complainedAt = performance.now();
    log.warn(said, message);
  });
}

const passing = /^(LOADING|OOM|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS)/;

/** Is it something that a Redis answers for a while and then no more (a failover, a full disk, a start)? */
export const isPassing = (thrown: unknown): boolean => thrown instanceof Error && passing.test(thrown.message);

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
