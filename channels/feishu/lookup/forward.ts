import type { BotIdentity } from '../api.ts';
import { readableText } from '../normalize/message.ts';
import type { Item } from '../normalize/wire.ts';
import type { Directory } from './directory.ts';

const MESSAGES_MAX = 50;
const DEPTH_MAX = 3;
const TEXT_MAX = 8_000;

/** What was said in a merged forward, one message a line with its speaker, inner forwards indented; cut with a mark. */
export async function transcriptOf(
  items: readonly Item[],
  rootId: string,
  directory: Directory,
  bot: BotIdentity,
): Promise<string> {
  const inside = items.filter(({ message_id: id }) => id !== rootId).slice(0, MESSAGES_MAX);
  const lines: string[] = [];
  const write = async (upper: string, depth: number): Promise<void> => {
    for (const item of inside.filter((candidate) => (candidate.upper_message_id ?? rootId) === upper)) {
      const name = item.sender.id_type === 'open_id' ? await directory.nameOf(item.sender.id) : undefined;
      const { text } = readableText(item.msg_type, item.body.content, item.message_id, item.mentions, bot);
      const indent = '  '.repeat(depth);
      lines.push(`${indent}${name ?? item.sender.id}: ${text.replaceAll('\n', `\n${indent}`)}`);
      if (depth < DEPTH_MAX) await write(item.message_id, depth + 1);
    }
  };
  await write(rootId, 0);
  const whole = lines.join('\n');
  const isCut = whole.length > TEXT_MAX || items.length - 1 > MESSAGES_MAX;
  return `[forwarded messages]\n${whole.slice(0, TEXT_MAX).toWellFormed()}${isCut ? '\n[…]' : ''}`;
}
