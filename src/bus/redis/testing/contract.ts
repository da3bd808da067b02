import { after, before } from 'node:test';
import { silentLogger } from '../../../base/logger.ts';
import { redisForTests, type Service } from '../../../testing/services.ts';
import { busContract } from '../../contract/suite.ts';
import type { MessageBus } from '../../port.ts';
import { createRedisBus } from '../index.ts';
import { newPrefix, openClient } from './kit.ts';
import { type RedisProxy, startProxy } from './proxy.ts';

/** Registers the contract suite for a bus of so many shards. */
export function redisContract(name: string, shards: number): void {
  let redis: Service;
  before(async () => {
    redis = await redisForTests();
  });
  after(() => redis.stop());

  busContract(name, async (t, settings) => {
    const prefix = newPrefix();
    const opened: { readonly bus: MessageBus; readonly proxy: RedisProxy }[] = [];
    const open = async (): Promise<MessageBus> => {
      const proxy = await startProxy(redis.url);
      const bus = await createRedisBus({ url: proxy.url, prefix, log: silentLogger, shards, ...settings });
      opened.push({ bus, proxy });
      return bus;
    };
    t.after(() =>
      Promise.all(
        opened.map(async ({ bus, proxy }) => {
          await bus.close({ graceMs: 0 });
          await proxy.close();
        }),
      ),
    );
    return {
      bus: await open(),
      second: open,
      reopen: async () => {
        await opened.at(-1)?.bus.close();
        return open();
      },
      // To Redis, a process that dies is one whose connections break and that is never heard of again.
      crash: async () => {
        await opened.at(-1)?.proxy.close();
        return open();
      },
      loseLease: async (lease) => {
        const client = openClient(t, redis.url);
        for (const part of [prefix, ...Array.from({ length: shards }, (_, n) => `${prefix}:${n}`)])
          await client.set(`{${part}}:lease:${lease}`, 'somebody else', 'KEEPTTL', 'XX');
      },
    };
  });
}
