import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { silentLogger } from '../../base/logger.ts';
import { redisForTests, type Service } from '../../testing/services.ts';
import { busContract } from '../contract/suite.ts';
import type { MessageBus } from '../port.ts';
import { createRedisBus } from './index.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

busContract('redis', async (t, settings) => {
  const prefix = `test-${randomUUID()}`;
  const buses: MessageBus[] = [];
  const open = async (): Promise<MessageBus> => {
    const bus = await createRedisBus({ url: redis.url, prefix, log: silentLogger, ...settings });
    buses.push(bus);
    return bus;
  };
  t.after(async () => {
    await Promise.all(buses.map((bus) => bus.close({ graceMs: 0 })));
  });
  const bus = await open();
  return {
    bus,
    second: open,
    reopen: async () => {
      await bus.close();
      return open();
    },
    loseLease: async (name) => {
      const client = new Redis(redis.url);
      await client.set(`{${prefix}}:lease:${name}`, 'somebody else');
      client.disconnect();
    },
  };
});
