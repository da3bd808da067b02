import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { MessageBus } from '../bus/port.ts';
import type { Config } from '../config/schema/config.ts';
import type { Store } from '../store/port.ts';

/** What every role of a process shares. */
export interface Rooms {
  readonly config: Config;
  readonly bus: MessageBus;
  readonly store: Store;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Redis where it is configured, else the embedded bus in the data folder. Only the one chosen is loaded. */
export async function openBus(config: Config, log: Logger, clock: Clock = systemClock): Promise<MessageBus> {
  const { url, shards, wait_replicas: waitReplicas } = config.redis;
  const places = { chat: config.fairness.per_chat, user: config.fairness.per_user };
  if (url !== undefined && url !== '') {
    const { createRedisBus } = await import('../bus/redis/index.ts');
    return createRedisBus({ url, log, places, shards, waitReplicas });
  }
  const { createEmbeddedBus } = await import('../bus/embedded/index.ts');
  return createEmbeddedBus({ file: join(config.data_dir, 'bus.db'), log, clock, places });
}

/** PostgreSQL where it is configured, else SQLite in the data folder. */
export async function openDatabase(config: Config, log: Logger, clock: Clock = systemClock): Promise<Store> {
  const { openStore } = await import('../store/index.ts');
  const url = config.database.url;
  return url !== undefined && url !== ''
    ? openStore({ url, log, clock })
    : openStore({ file: join(config.data_dir, 'antler.db'), log, clock });
}

/** Opens bus and database; when one of them fails, the other is closed again. */
export async function openRooms(config: Config, log: Logger): Promise<Rooms> {
  const clock = systemClock;
  const bus = await openBus(config, log, clock);
  try {
    const store = await openDatabase(config, log, clock);
    return { config, bus, store, log, clock };
  } catch (error) {
    await bus.close().catch(() => {}); // the first error is the one to tell
    throw error;
  }
}
