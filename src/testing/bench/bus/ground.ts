import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { silentLogger } from '../../../base/logger.ts';
import type { MessageBus } from '../../../bus/port.ts';
import { createRedisBus } from '../../../bus/redis/index.ts';
import { startRedis } from '../../services.ts';

/** The Redis that a measurement runs on, and how to look into it. */
export interface Ground {
  readonly url: string;
  readonly redis: Redis;
  /** A bus that shares nothing with the others; closed with the ground. */
  openBus(prefix: string): Promise<MessageBus>;
  /** Processor time of the Redis server so far, in microseconds. */
  redisCpuUs(): Promise<number>;
  /**
   * Memory that its keys take, with values and ends, in bytes. What the server has in use in all swings by more than
   * that with buffers and scripts.
   */
  usedMemory(): Promise<number>;
}

export const newPrefix = (): string => `bench-${randomUUID().slice(0, 8)}`;

/** Starts a Redis as Antler wants it: append-only file synced every second, no eviction. */
export async function startGround(owner: AsyncDisposableStack): Promise<Ground> {
  const server = await startRedis();
  owner.defer(() => server.stop());
  const redis = new Redis(server.url);
  owner.defer(() => redis.disconnect());
  const number = async (section: string, ...names: readonly string[]): Promise<number> => {
    const info = await redis.info(section);
    return names.reduce((sum, name) => sum + Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]), 0);
  };
  return {
    url: server.url,
    redis,
    openBus: async (prefix) => {
      const bus = await createRedisBus({ url: server.url, prefix, log: silentLogger });
      owner.defer(() => bus.close({ graceMs: 0 }));
      return bus;
    },
    redisCpuUs: async () => (await number('cpu', 'used_cpu_user', 'used_cpu_sys')) * 1e6,
    usedMemory: () => memoryOfKeys(redis),
  };
}

/** Of a table of Redis on 64 bits: one slot of it, and an entry in that of the keys' ends. */
const SLOT_BYTES = 8;
const END_BYTES = 24 + SLOT_BYTES;

/**
 * What Redis says of each key (with its value and its entry among the keys), and what that leaves out: its slot, and its
 * entry among the ends. The tables themselves are larger: they grow by doubling, and here by what was just dropped.
 */
async function memoryOfKeys(redis: Redis): Promise<number> {
  let total = 0;
  for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>) {
    const sizes = keys.map(async (key) => {
      const [bytes, ttl] = await Promise.all([redis.memory('USAGE', key, 'SAMPLES', 0), redis.pttl(key)]);
      return bytes === null ? 0 : bytes + SLOT_BYTES + (ttl > 0 ? END_BYTES : 0); // null: it has just ended
    });
    for (const bytes of await Promise.all(sizes)) total += bytes;
  }
  return total;
}
