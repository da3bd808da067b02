import type { MessageBus } from '../port.ts';

export function joinShards(buses: readonly MessageBus[]): MessageBus {
  const [first] = buses;
  if (first === undefined) throw new Error('no shards');
  return first;
}
