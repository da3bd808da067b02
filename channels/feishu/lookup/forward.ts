import type { BotIdentity } from '../api.ts';
import type { Content } from '../normalize/content.ts';
import { contentOfItem } from '../normalize/message.ts';
import { type Item, millisOf } from '../normalize/wire.ts';
import type { Names } from './directory.ts';

const MESSAGES_MAX = 50;
const DEPTH_MAX = 3;
const TEXT_MAX = 8_000;
const FILES_MAX = 20;

/**
 * What was said in a merged forward, one message a line with its speaker, inner forwards indented; cut with a mark. Its
 * files are to be had under the id of the forward, not under that of the message that they came with.
 */
export async function transcriptOf(
  items: readonly Item[],
  rootId: string,
  names: Names,
  bot: BotIdentity,
): Promise<Pick<Content, 'text' | 'files'>> {
  const inside = items
    .filter(({ message_id: id }) => id !== rootId)
    .toSorted((a, b) => millisOf(a.create_time, 0) - millisOf(b.create_time, 0))
    .slice(0, MESSAGES_MAX);
  await Promise.all(inside.map((item) => speakerOf(item, names, bot))); // at the same time; below, one after another
  const lines: string[] = [];
  const files: Content['files'][number][] = [];
  const write = async (upper: string, depth: number): Promise<void> => {
    for (const item of inside.filter((candidate) => (candidate.upper_message_id ?? rootId) === upper)) {
      const content = contentOfItem(item, rootId, bot);
      const indent = '  '.repeat(depth);
      lines.push(`${indent}${await speakerOf(item, names, bot)}: ${content.text.replaceAll('\n', `\n${indent}`)}`);
      files.push(...content.files);
      if (depth < DEPTH_MAX) await write(item.message_id, depth + 1);
    }
  };
  await write(rootId, 0);
  const whole = lines.join('\n');
  const isCut = whole.length > TEXT_MAX || items.length - 1 > MESSAGES_MAX;
  const text = `[forwarded messages]\n${whole.slice(0, TEXT_MAX).toWellFormed()}${isCut ? '\n[…]' : ''}`;
  return { text, files: files.slice(0, FILES_MAX) };
}

/** The name of who has said something, where the platform tells it. */
export async function nameOf({ sender }: Item, names: Names, bot: BotIdentity): Promise<string | undefined> {
  if (sender.id === bot.appId) return bot.name;
  return sender.id_type === 'open_id' ? names.of(sender.id) : undefined;
}

/** In a talk of several people an id is better than nothing: it tells them apart. */
export const speakerOf = async (item: Item, names: Names, bot: BotIdentity): Promise<string> =>
  (await nameOf(item, names, bot)) ?? item.sender.id;
