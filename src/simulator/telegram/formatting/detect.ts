import type { EntityType, WireEntity } from '../wire.ts';
import type { FormattedText } from './builder.ts';

/** What Telegram marks by itself. A command must not follow a word character or a slash, nor a name another word. */
const patterns: readonly (readonly [EntityType, RegExp])[] = [
  ['url', /(?<![\w@])(?:https?:\/\/|www\.)[^\s<>"]+[^\s<>".,;:!?)\]}'，。！？；：]/giu],
  ['email', /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu],
  ['bot_command', /(?<![\p{L}\p{N}_/@<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\p{L}\p{N}_/@])/giu],
  ['mention', /(?<![\p{L}\p{N}_/.@])@[a-z][a-z0-9_]{2,31}(?![a-z0-9_@])/giu],
  ['hashtag', /(?<![\p{L}\p{N}_&#])#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*/gu],
];

/** Adds the entities that Telegram finds in text by itself, where none is yet that they would cross. */
export function withDetected({ text, entities }: FormattedText): FormattedText {
  const found: WireEntity[] = [];
  const blocked = entities.filter(({ type }) => type === 'code' || type === 'pre' || type.startsWith('text_'));
  const free = (offset: number, length: number): boolean =>
    [...blocked, ...found].every((other) => offset + length <= other.offset || offset >= other.offset + other.length);
  for (const [type, pattern] of patterns)
    for (const match of text.matchAll(pattern)) {
      const { index: offset } = match;
      const { length } = match[0];
      if (type === 'bot_command' && /^\/\d+$/.test(match[0])) continue;
      if (free(offset, length)) found.push({ type, offset, length });
    }
  return {
    text,
    entities: [...entities, ...found].sort((a, b) => a.offset - b.offset || b.length - a.length),
  };
}
