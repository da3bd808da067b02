import { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Company } from '../company.ts';
import type { MessageBus, Places } from '../port.ts';
import { Admission } from './admission.ts';
import { createClaims } from './claims.ts';
import { connect, type RedisClient, SILENCE_MS, type Temper, unavailable } from './connection.ts';
import { createDeadLetters } from './dead-letters.ts';
import { atLeast, checkServer, warningsOf } from './health.ts';
import { createHomes, type Homes } from './homes.ts';
import { identityKey } from './identity.ts';
import { cancel, clear, recall, stats, threadState } from './inbox.ts';
import { RedisLeases } from './leases.ts';
import { createOutbox } from './outbox.ts';
import { pause, paused, resume } from './pauses.ts';
import { Publishing } from './publishing.ts';
import { type ScriptSettings, Scripts } from './scripts.ts';
import { Signals } from './signals.ts';
import { runPromptly, type Wiring } from './wiring.ts';
import { startWork, type Work } from './work.ts';

/** A bus, and what only its siblings ask of it. */
export interface Shard extends MessageBus {
  readonly homes: Homes;
  /** Nothing is sent under this scope for `delayMs`. */
  holdScope(scope: string, delayMs: number): Promise<void>;
}

export interface ShardOptions {
  readonly url: string;
  /** What all keys begin with, in braces. */
  readonly prefix: string;
  readonly log: Logger;
  readonly maxInbox: number;
  readonly places: Places;
  readonly waitReplicas: number;
  /** Of how many shards this is one. */
  readonly shards: number;
  readonly silenceMs?: number;
  readonly company: Company;
}

const DEFAULT_GRACE_MS = 25_000;

/** A bus whose keys all lie in one slot of a cluster: the whole bus, or one of several shards of it. */
export async function createShard(options: ShardOptions): Promise<Shard> {
  const { wiring, clients } = await wire(options);
  const admission = new Admission(wiring);
  const publishing = new Publishing(wiring);
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
    signals.close();
    for (const client of clients) client.disconnect();
  };

  return {
    outbox,
    leases,
    homes: createHomes(wiring),
    holdScope: async (scope, delayMs) => {
      if (delayMs > 0) await runPromptly(wiring, 'hold-scope', scope, Math.ceil(delayMs));
    },
    claims: createClaims(wiring),
    deadLetters: createDeadLetters(wiring),
    publish: async (input) => {
      admission.check();
      return publishing.publish(input);
    },
    withdraw: (thread, dedupeKey) => recall(wiring, thread, dedupeKey, null),
    clear: (thread) => clear(wiring, thread),
    amend: async (thread, dedupeKey, payload) => {
      const recalled = await recall(wiring, thread, dedupeKey, { payload });
      return recalled === 'alone' ? 'active' : recalled;
    },
    pause: (channel) => pause(wiring, channel),
    resume: (channel) => resume(wiring, channel),
    paused: () => paused(wiring),
    bury: async (worker) => {
      await runPromptly(wiring, 'bury', identityKey(worker));
    },
    cancel: (thread, reason) => cancel(wiring, thread, reason),
    threadState: (thread) => threadState(wiring, thread),
    stats: () => stats(wiring),
    work: async (handler, workOptions) => {
      if (works.length > 0) throw new AntlerError('internal', 'This bus works already.');
      const work = await startWork(wiring, handler, workOptions);
      works.push(work);
      return { id: work.id, stop: async () => work.stop() };
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
      return warningsOf(await checkServer(prompt));
    },
    close: ({ graceMs = DEFAULT_GRACE_MS } = {}) => {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/** Opens the connections; closes them again when the server will not do. */
async function wire(options: ShardOptions): Promise<{ wiring: Wiring; clients: readonly RedisClient[] }> {
  const { url, places, maxInbox, waitReplicas, shards, company, silenceMs = SILENCE_MS } = options;
  const log = options.log.child({ room: 'bus' });
  const prefix = `{${options.prefix}}`;
  const clients: RedisClient[] = [];
  const open = async (temper: Temper): Promise<RedisClient> => {
    const client = await connect(url, temper, log, silenceMs);
    clients.push(client);
    return client;
  };
  try {
    const prompt = await open('prompt');
    const facts = await checkServer(prompt);
    // How often the file is synced is a choice, of which `check` tells whoever asks.
    if (!facts.appendOnly) for (const warning of warningsOf(facts)) log.warn({}, warning);
    const flags = atLeast(facts.version, '7.0');
    const [patient, subscriber] = [await open('patient'), await open('patient')];
    const base = `${prefix}:`;
    const settings: ScriptSettings = { base, flags, places, maxInbox };
    const wiring: Wiring = {
      url,
      silenceMs,
      base,
      prefix,
      log,
      prompt,
      patient,
      waitReplicas,
      shards,
      settings,
      scripts: new Scripts(settings),
      signals: new Signals(subscriber, log),
      company,
    };
    return { wiring, clients };
  } catch (thrown) {
    for (const client of clients) client.disconnect();
    throw unavailable(thrown);
  }
}
