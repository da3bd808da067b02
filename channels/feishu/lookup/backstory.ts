import type { InboundMessage, Quote } from '../../../src/channel/message.ts';
import type { BotIdentity, OpenApi } from '../api.ts';
import { contentOfItem } from '../normalize/message.ts';
import { itemsShape, millisOf } from '../normalize/wire.ts';
import type { Names } from './directory.ts';
import { AS_MADE } from './fetch-message.ts';
import { speakerOf } from './forward.ts';

const REPLIES_MAX = 15;
const MESSAGE_MAX_CHARS = 1_000;

/**
 * What was said in a topic before somebody called the bot into it: "look into this" means what stands above. It is added
 * to `root`, the message that opened the topic. Rejects where the app may not read what does not mention it.
 */
export async function withReplies(
  root: Quote,
  { id, topic = '', sentAt }: InboundMessage,
  { api, names, bot }: { readonly api: OpenApi; readonly names: Names; readonly bot: BotIdentity },
  signal: AbortSignal,
): Promise<Quote> {
  const query = {
    ...{ container_id_type: 'thread', container_id: topic, ...AS_MADE },
    ...{ sort_type: 'ByCreateTimeDesc', page_size: String(REPLIES_MAX + 2) }, // the root and the call are among them
  };
  const answer = await api.call('GET', '/im/v1/messages', { query, signal, idempotent: true });
  const earlier = itemsShape
    .parse(answer)
    .data.items.filter((item) => item.message_id !== id && item.message_id !== root.messageId && !item.deleted)
    .filter((item) => millisOf(item.create_time, 0) <= sentAt)
    .slice(0, REPLIES_MAX)
    .reverse();
  const lines = await Promise.all(
    earlier.map(async (item) => {
      const { text } = contentOfItem(item, item.message_id, bot);
      const shown = text.length <= MESSAGE_MAX_CHARS ? text : `${text.slice(0, MESSAGE_MAX_CHARS).toWellFormed()}…`;
      return `${await speakerOf(item, names, bot)}: ${shown}`;
    }),
  );
  return { ...root, text: [root.text, ...lines].join('\n') };
}
