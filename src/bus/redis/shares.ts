import { crc32 } from 'node:zlib';
import type { RateLimit } from '../../channel/port.ts';

/** Which of `shards` something belongs to. The same in every process. */
export const shardOf = (key: string, shards: number): number => crc32(key) % shards;

/** `count` hands among `shards`, at least one each. */
export function handsOf(count: number, shards: number, shard: number): number {
  return Math.max(1, Math.floor(count / shards) + (shard < count % shards ? 1 : 0));
}

/**
 * What one of several shards may use of a limit that all of them count against: its part of the calls or, where there
 * are too few to share, a call in a longer time. A scope that ends with the chat is counted in the chat's shard alone.
 */
export function shareOf(limit: RateLimit, chat: string, shards: number): RateLimit {
  if (shards === 1 || limit.scope.endsWith(`:${chat}`)) return limit;
  const { scope, count, windowMs } = limit;
  return count >= shards
    ? { scope, count: Math.floor(count / shards), windowMs }
    : { scope, count: 1, windowMs: Math.ceil((windowMs * shards) / Math.max(1, count)) };
}
