import type { Logger } from '../../base/logger.ts';
import { Company } from '../company.ts';
import { DEFAULT_PLACES } from '../places.ts';
import type { MessageBus, Places } from '../port.ts';
import { createShard, type ShardOptions } from './shard.ts';
import { joinShards } from './shards.ts';

export interface RedisBusOptions {
  /**
   * `redis://` or `rediss://`, with user, password and database number where needed. Several nodes of a cluster are
   * separated by commas.
   */
  readonly url: string;
  /** What all keys begin with, in braces; two buses with different prefixes do not see each other. */
  readonly prefix?: string;
  readonly log: Logger;
  /** The most inputs that wait in one thread. */
  readonly maxInbox?: number;
  readonly places?: Places;
  /**
   * The bus is cut into so many, each with all its keys in one slot, so that a cluster has something to spread. The same
   * in every process, and not to be changed while anything is in flight. Default: 1.
   */
  readonly shards?: number;
  /**
   * What is published counts as stored only when so many replicas have it (`WAIT`). Default: 0, the primary alone; its
   * `min-replicas-to-write` guards as well.
   */
  readonly waitReplicas?: number;
  /** A connection on which commands wait and nothing comes for so long is opened anew, in milliseconds. */
  readonly silenceMs?: number;
}

const DEFAULT_PREFIX = 'antler';
const DEFAULT_MAX_INBOX = 1_000;

/**
 * The MessageBus on Redis 6.2 or newer: state in Lua scripts, wake-ups by BullMQ. Rejects when Redis cannot be
 * reached, or would lose messages as it is set up.
 */
export async function createRedisBus(options: RedisBusOptions): Promise<MessageBus> {
  const { url, log, silenceMs, shards = 1, prefix = DEFAULT_PREFIX } = options;
  const common = {
    url,
    log,
    maxInbox: options.maxInbox ?? DEFAULT_MAX_INBOX,
    places: options.places ?? DEFAULT_PLACES,
    waitReplicas: options.waitReplicas ?? 0,
    shards: Math.max(1, shards),
    company: new Company(),
    ...(silenceMs === undefined ? {} : { silenceMs }),
  } satisfies Omit<ShardOptions, 'prefix'>;
  if (shards <= 1) return createShard({ ...common, prefix });
  const opening = Array.from({ length: shards }, (_, n) => createShard({ ...common, prefix: `${prefix}:${n}` }));
  const opened = await Promise.allSettled(opening);
  const failed = opened.find((result) => result.status === 'rejected');
  const buses = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [one, ...others] = buses;
  if (failed === undefined && one !== undefined) return joinShards([one, ...others]);
  await Promise.all(buses.map((bus) => bus.close({ graceMs: 0 })));
  throw failed?.reason;
}
