import { badRequest } from '../api-error.ts';
import type { WireEntity } from '../wire.ts';
import { byteOffset, type FormattedText } from './builder.ts';

const pairs = [
  { mark: '```', type: 'pre' },
  { mark: '`', type: 'code' },
  { mark: '*', type: 'bold' },
  { mark: '_', type: 'italic' },
] as const;

/**
 * Reads the legacy `parse_mode: Markdown`: no nesting, and a backslash escapes only `_`, `*`, `` ` `` and `[`.
 * Source: https://core.telegram.org/bots/api#markdown-style
 */
export function parseLegacyMarkdown(source: string): FormattedText {
  const entities: WireEntity[] = [];
  let text = '';
  let index = 0;
  const missingEnd = (): Error =>
    badRequest(
      `can't parse entities: Can't find end of the entity starting at byte offset ${byteOffset(source, index)}`,
    );
  while (index < source.length) {
    const character = source[index] ?? '';
    if (character === '\\' && /[_*`[]/.test(source[index + 1] ?? '')) {
      text += source[index + 1];
      index += 2;
      continue;
    }
    if (character === '[') {
      const end = source.indexOf(']', index);
      if (end === -1) throw missingEnd();
      const label = source.slice(index + 1, end);
      const link = /^\(([^)]*)\)/.exec(source.slice(end + 1));
      if (link !== null)
        entities.push({ type: 'text_link', offset: text.length, length: label.length, url: link[1] ?? '' });
      text += label;
      index = end + 1 + (link?.[0].length ?? 0);
      continue;
    }
    const pair = pairs.find(({ mark }) => source.startsWith(mark, index));
    if (pair === undefined) {
      text += character;
      index += 1;
      continue;
    }
    const end = source.indexOf(pair.mark, index + pair.mark.length);
    if (end === -1) throw missingEnd();
    const inner = source.slice(index + pair.mark.length, end);
    const language = pair.type === 'pre' ? /^([^\s]+)\n/.exec(inner)?.[1] : undefined;
    const content = pair.type === 'pre' ? inner.replace(/^[^\s]*\n/, '') : inner;
    entities.push({
      type: pair.type,
      offset: text.length,
      length: content.length,
      ...(language === undefined ? {} : { language }),
    });
    text += content;
    index = end + pair.mark.length;
  }
  return { text, entities };
}
