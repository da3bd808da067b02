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
  /** Memory that its data take, without the buffers of connections, in bytes. */
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
    usedMemory: async () =>
      (await number('memory', 'used_memory')) - (await number('memory', 'mem_clients_normal', 'mem_aof_buffer')),
  };
}
