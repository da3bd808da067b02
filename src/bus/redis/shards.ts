import { BoundedMap } from '../../base/bounded-map.ts';
import type { ThreadId } from '../../base/ids.ts';
import type { BusStats, DeadLetters, MessageBus, NewInput, Outbox, SendOutcome, Working } from '../port.ts';
import { newIdentity } from './identity.ts';
import type { Shard } from './shard.ts';
import { handsOf, shardOf } from './shares.ts';

/** Threads whose home this process knows without asking. */
const MOST_KNOWN = 10_000;

/**
 * Several shards as one bus. A chat's inboxes and its outbox lie in one shard. A thread stays where its first message
 * came from, and answers from there: of a chat that a thread from elsewhere answers in, what comes from either shard is
 * in order, but not the one to the other.
 */
export function joinShards(shards: readonly [Shard, ...Shard[]]): MessageBus {
  const [first] = shards;
  const at = (n: number): Shard => shards[n] ?? first;
  const of = (key: string): number => shardOf(key, shards.length);
  const all = async (act: (shard: Shard, n: number) => Promise<unknown>): Promise<void> => {
    await Promise.all(shards.map(act));
  };
  const known = new BoundedMap<ThreadId, number>(MOST_KNOWN);
  const learn = (thread: ThreadId, home: number): number => {
    known.set(thread, home);
    return home;
  };
  const settle = async ({ thread, chat }: NewInput): Promise<Shard> => {
    const home = known.get(thread) ?? learn(thread, await at(of(thread)).homes.settle(thread, of(chat)));
    return at(home);
  };
  const find = async (thread: ThreadId): Promise<Shard | null> => {
    const home = known.get(thread) ?? (await at(of(thread)).homes.find(thread));
    return home === null ? null : at(learn(thread, home));
  };

  return {
    outbox: joinOutboxes(shards),
    deadLetters: joinLetters(shards),
    claims: {
      claim: (key, holdMs) => at(of(key)).claims.claim(key, holdMs),
      complete: (key) => at(of(key)).claims.complete(key),
      release: (key) => at(of(key)).claims.release(key),
    },
    leases: { acquire: (name, ttlMs) => at(of(name)).leases.acquire(name, ttlMs) },
    publish: async (input) => (await settle(input)).publish(input),
    withdraw: async (thread, dedupeKey) => (await find(thread))?.withdraw(thread, dedupeKey) ?? 'gone',
    clear: async (thread) => (await find(thread))?.clear(thread) ?? 0,
    amend: async (thread, dedupeKey, payload) => (await find(thread))?.amend(thread, dedupeKey, payload) ?? 'gone',
    cancel: async (thread, reason) => (await find(thread))?.cancel(thread, reason) ?? false,
    threadState: async (thread) => (await find(thread))?.threadState(thread) ?? { state: 'idle', waiting: 0 },
    pause: (channel) => all((shard) => shard.pause(channel)),
    resume: (channel) => all((shard) => shard.resume(channel)),
    paused: async () => [...new Set((await Promise.all(shards.map((shard) => shard.paused()))).flat())].sort(),
    bury: (worker) => all((shard) => shard.bury(worker)),
    work: async (handler, options) => {
      const id = options.id ?? newIdentity();
      const concurrency = (n: number): number => handsOf(options.concurrency, shards.length, n);
      return joinWorkings(
        id,
        await Promise.all(
          shards.map((shard, n) => shard.work(handler, { ...options, id, concurrency: concurrency(n) })),
        ),
      );
    },
    broadcast: (topic, data) => first.broadcast(topic, data),
    subscribe: (topic, listener) => first.subscribe(topic, listener),
    stats: async () => (await Promise.all(shards.map((shard) => shard.stats()))).reduce(sum),
    // All shards are on one server.
    check: async () => [...new Set((await Promise.all(shards.map((shard) => shard.check()))).flat())],
    close: (options) => all((shard) => shard.close(options)),
  };
}

function joinWorkings(id: string, workings: readonly Working[]): Working {
  return { id, stop: async () => void (await Promise.all(workings.map((working) => working.stop()))) };
}

function sum(a: BusStats, b: BusStats): BusStats {
  return {
    queuedThreads: a.queuedThreads + b.queuedThreads,
    runningThreads: a.runningThreads + b.runningThreads,
    waitingInputs: a.waitingInputs + b.waitingInputs,
    pendingDeliveries: a.pendingDeliveries + b.pendingDeliveries,
    deadLetters: a.deadLetters + b.deadLetters,
  };
}

function joinOutboxes(shards: readonly Shard[]): Outbox {
  return {
    enqueue: async (deliveries) => {
      const groups = shards.map((shard, n) => ({
        shard,
        own: deliveries.filter(({ channel, target }) => shardOf(`${channel}/${target.chat}`, shards.length) === n),
      }));
      await Promise.all(groups.map(({ shard, own }) => shard.outbox.enqueue(own)));
    },
    send: async (channels, handler, options) => {
      const id = options.id ?? newIdentity();
      const workings = shards.map((shard, n) => {
        const concurrency = handsOf(options.concurrency, shards.length, n);
        // What a platform says about a whole scope concerns all shards.
        const handle: typeof handler = async (outgoing) => {
          const outcome = await handler(outgoing);
          const others = shards.filter((other) => other !== shard);
          await Promise.all(others.map((other) => passOn(outcome, other)));
          return outcome;
        };
        return shard.outbox.send(channels, handle, { ...options, id, concurrency });
      });
      return joinWorkings(id, await Promise.all(workings));
    },
    pending: async (channel, chat) => {
      const counts = await Promise.all(shards.map((shard) => shard.outbox.pending(channel, chat)));
      return counts.reduce((total, count) => total + count, 0);
    },
  };
}

async function passOn(outcome: SendOutcome, shard: Shard): Promise<void> {
  if (outcome.kind !== 'retry' || outcome.pause === undefined) return;
  await shard.holdScope(outcome.pause, outcome.delayMs).catch(() => {
    // It will be told by the platform itself.
  });
}

/** A dead letter's id says which shard has it. */
function joinLetters(shards: readonly Shard[]): DeadLetters {
  const at = (id: string): { readonly letters: DeadLetters; readonly inner: string } | null => {
    const [, n, inner] = /^(\d+)\.(.*)$/s.exec(id) ?? [];
    const shard = shards[Number(n)];
    return shard === undefined || inner === undefined ? null : { letters: shard.deadLetters, inner };
  };
  return {
    list: async (limit) => {
      const lists = await Promise.all(
        shards.map(async (shard, n) =>
          (await shard.deadLetters.list(limit)).map((letter) => ({ ...letter, id: `${n}.${letter.id}` })),
        ),
      );
      return lists
        .flat()
        .sort((a, b) => b.at - a.at)
        .slice(0, Math.max(0, limit));
    },
    get: async (id) => {
      const found = at(id);
      const letter = await found?.letters.get(found.inner);
      return letter === undefined || letter === null ? null : { ...letter, id };
    },
    replay: async (id) => {
      const found = at(id);
      return (await found?.letters.replay(found.inner)) ?? false;
    },
    drop: async (id) => {
      const found = at(id);
      return (await found?.letters.drop(found.inner)) ?? false;
    },
  };
}
