import type { OpenApi } from '../api.ts';
import { type Item, itemsShape } from '../normalize/wire.ts';

/** Without this, cards of version 2 come as a plea to upgrade the client. */
export const AS_MADE = { card_msg_content_type: 'user_card_content' };

/** A message and, behind it, what is inside it when it is a merged forward. Rejects when the platform refuses. */
export async function fetchMessage(api: OpenApi, id: string, signal?: AbortSignal): Promise<readonly Item[]> {
  const path = `/im/v1/messages/${encodeURIComponent(id)}`;
  const answer = await api.call('GET', path, { query: AS_MADE, signal, idempotent: true });
  return itemsShape.parse(answer).data.items;
}
