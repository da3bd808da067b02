import type { Redis } from 'ioredis';
import { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { MessageBus } from '../port.ts';
import { createClaims } from './claims.ts';
import { connect, type Temper, unavailable } from './connection.ts';
import { createDeadLetters } from './dead-letters.ts';
import { atLeast, checkServer } from './health.ts';
import { cancel, publish, stats, threadState } from './inbox.ts';
import { RedisLeases } from './leases.ts';
import { createOutbox } from './outbox.ts';
import { Scripts } from './scripts.ts';
import { Signals } from './signals.ts';
import { Waker } from './wake.ts';
import type { Wiring } from './wiring.ts';
import { startWork, type Work } from './work.ts';

export interface RedisBusOptions {
  /** `redis://` or `rediss://`, with user, password and database number where needed. */
  readonly url: string;
  /** What all keys begin with, in braces; two buses with different prefixes do not see each other. */
  readonly prefix?: string;
  readonly log: Logger;
  /** The most inputs that wait in one thread. */
  readonly maxInbox?: number;
}

const DEFAULT_PREFIX = 'antler';
const DEFAULT_MAX_INBOX = 1_000;
const DEFAULT_GRACE_MS = 25_000;

/**
 * The MessageBus on Redis 6.2 or newer: state in Lua scripts, wake-ups by BullMQ. Rejects when Redis cannot be
 * reached, or would lose messages as it is set up.
 */
export async function createRedisBus(options: RedisBusOptions): Promise<MessageBus> {
  const { wiring, clients } = await wire(options);
  const maxInbox = options.maxInbox ?? DEFAULT_MAX_INBOX;
  const { base, log, prompt, signals } = wiring;
  const outbox = createOutbox(wiring);
  const leases = new RedisLeases(wiring);
  const works: Work[] = [];
  let closing: Promise<void> | undefined;

  const close = async (graceMs: number): Promise<void> => {
    const closingAt = performance.now();
    await Promise.all(works.map((work) => work.close(graceMs)));
    // The turns that have just ended have something to say, and who asked is waiting for it.
    await outbox.close(Math.max(0, closingAt + graceMs - performance.now()));
    await leases.close();
    await Promise.all([wiring.promptWaker.close(), wiring.patientWaker.close()]);
    signals.close();
    for (const client of clients) client.disconnect();
  };

  return {
    outbox,
    leases,
    claims: createClaims(wiring),
    deadLetters: createDeadLetters(wiring),
    publish: (input) => publish(wiring, input, maxInbox),
    cancel: (thread, reason) => cancel(wiring, thread, reason),
    threadState: (thread) => threadState(wiring, thread),
    stats: () => stats(wiring),
    work: async (handler, workOptions) => {
      if (works.length > 0) throw new AntlerError('internal', 'This bus works already.');
      const work = await startWork(wiring, handler, workOptions);
      works.push(work);
      return { stop: async () => work.stop() };
    },
    broadcast: (topic, data) => {
      // After subscriptions that were made before it, so that a process hears itself.
      void signals
        .settled()
        .then(() => prompt.publish(`${base}topic:${topic}`, data))
        .catch((thrown: unknown) => log.debug({ topic, error: String(thrown) }, 'broadcast lost'));
    },
    subscribe: (topic, listener) => signals.listen(`${base}topic:${topic}`, listener),
    check: async () => {
      await checkServer(prompt, log);
    },
    close: ({ graceMs = DEFAULT_GRACE_MS } = {}) => {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/** Opens the connections; closes them again when the server will not do. */
async function wire(options: RedisBusOptions): Promise<{ wiring: Wiring; clients: readonly Redis[] }> {
  const { url } = options;
  const log = options.log.child({ room: 'bus' });
  const prefix = `{${options.prefix ?? DEFAULT_PREFIX}}`;
  const clients: Redis[] = [];
  const open = async (temper: Temper): Promise<Redis> => {
    const client = await connect(url, temper, log);
    clients.push(client);
    return client;
  };
  try {
    const prompt = await open('prompt');
    const flags = atLeast((await checkServer(prompt, log)).version, '7.0');
    const [patient, subscriber] = [await open('patient'), await open('patient')];
    const base = `${prefix}:`;
    const wiring: Wiring = {
      url,
      base,
      prefix,
      flags,
      log,
      prompt,
      patient,
      scripts: new Scripts(base, flags),
      signals: new Signals(subscriber, log),
      promptWaker: new Waker(prompt, prefix, log),
      patientWaker: new Waker(patient, prefix, log),
    };
    await Promise.all([wiring.promptWaker.ready(), wiring.patientWaker.ready()]);
    return { wiring, clients };
  } catch (thrown) {
    for (const client of clients) client.disconnect();
    throw unavailable(thrown);
  }
}
