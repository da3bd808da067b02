import type { OpenApi } from '../api.ts';
import { type Item, itemsShape } from '../normalize/wire.ts';

/** A message and, behind it, what is inside it when it is a merged forward. Rejects when the platform refuses. */
export async function fetchMessage(api: OpenApi, id: string, signal?: AbortSignal): Promise<readonly Item[]> {
  const answer = await api.call('GET', `/im/v1/messages/${encodeURIComponent(id)}`, { signal, idempotent: true });
  return itemsShape.parse(answer).data.items;
}
