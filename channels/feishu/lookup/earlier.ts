import { earlierText } from '../../../src/channel/earlier-text.ts';
import type { EarlierMessage, EarlierOptions, Target } from '../../../src/channel/port.ts';
import { personName } from '../../../src/format/safe-name.ts';
import type { BotIdentity, OpenApi } from '../api.ts';
import { MESSAGE_PAGE_MAX } from '../limits.ts';
import { contentOfItem } from '../normalize/message.ts';
import { itemsShape, millisOf } from '../normalize/wire.ts';
import type { Names } from './directory.ts';
import { AS_MADE } from './fetch-message.ts';
import { nameOf } from './forward.ts';

interface Sources {
  readonly api: OpenApi;
  readonly names: Names;
  readonly bot: BotIdentity;
}

/**
 * What was said in a topic, or in a group outside of topics. Rejects where the app may not read what does not mention
 * it. https://open.feishu.cn/document/server-docs/im-v1/message/list
 */
export async function readEarlier(
  { api, names, bot }: Sources,
  { chat, topic }: Pick<Target, 'chat' | 'topic'>,
  { before, limit, signal }: EarlierOptions,
): Promise<readonly EarlierMessage[]> {
  const where =
    topic === undefined
      ? {
          ...{ container_id_type: 'chat', container_id: chat },
          end_time: String(Math.ceil(before.sentAt / 1_000)), // topics know no times to search by
        }
      : { container_id_type: 'thread', container_id: topic };
  const pageSize = Math.min(limit + 1, MESSAGE_PAGE_MAX); // the call is among them
  const query = { ...where, ...AS_MADE, sort_type: 'ByCreateTimeDesc', page_size: String(pageSize) };
  const answer = await api.call('GET', '/im/v1/messages', { query, signal, idempotent: true });
  const items = itemsShape
    .parse(answer)
    .data.items.filter((item) => item.message_id !== before.id && !item.deleted)
    .filter((item) => millisOf(item.create_time, 0) <= before.sentAt)
    .slice(0, limit)
    .reverse();
  return Promise.all(
    items.map(async (item) => {
      const fromBot = item.sender.id === bot.appId;
      return {
        id: item.message_id,
        at: millisOf(item.create_time, 0),
        name: personName(await nameOf(item, names, bot)),
        fromBot,
        text: earlierText(contentOfItem(item, item.message_id, bot)),
      };
    }),
  );
}
