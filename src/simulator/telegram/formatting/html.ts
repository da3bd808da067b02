import { badRequest } from '../api-error.ts';
import type { EntityType, WireEntity } from '../wire.ts';
import { byteOffset, type FormattedText } from './builder.ts';

const typeOfTag: Readonly<Record<string, EntityType>> = {
  a: 'text_link',
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  u: 'underline',
  ins: 'underline',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  'tg-emoji': 'custom_emoji',
  pre: 'pre',
  code: 'code',
  blockquote: 'blockquote',
};

const namedCharacters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

interface OpenTag {
  readonly name: string;
  readonly offset: number;
  readonly attributes: Readonly<Record<string, string>>;
}

const refuse = (reason: string): Error => badRequest(`can't parse entities: ${reason}`);

function decodeCharacters(source: string): string {
  return source.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return namedCharacters[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function readAttributes(source: string, tag: string, at: number): Record<string, string> {
  const attributes: Record<string, string> = {};
  const pattern = /\s*([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?|(\S)/gy;
  for (const [, name, double, single, bare, stray] of source.matchAll(pattern)) {
    if (stray !== undefined) throw refuse(`Empty attribute name in the tag "${tag}" at byte offset ${at}`);
    if (name !== undefined) attributes[name.toLowerCase()] = decodeCharacters(double ?? single ?? bare ?? '');
  }
  return attributes;
}

function entityOf(tag: OpenTag, length: number): WireEntity | undefined {
  const base = { offset: tag.offset, length };
  switch (tag.name) {
    case 'a': {
      const url = tag.attributes.href;
      return url === undefined ? undefined : { type: 'text_link', ...base, url };
    }
    case 'tg-emoji':
      return { type: 'custom_emoji', ...base, custom_emoji_id: tag.attributes['emoji-id'] ?? '' };
    case 'blockquote':
      return { type: tag.attributes.expandable === undefined ? 'blockquote' : 'expandable_blockquote', ...base };
    default: {
      const type = typeOfTag[tag.name];
      return type === undefined ? undefined : { type, ...base };
    }
  }
}

/** `<pre><code class="language-x">` is one entity with a language; `code` directly around or in `pre` adds nothing. */
function joinCodeBlocks(entities: readonly (WireEntity & { language?: string })[]): WireEntity[] {
  const pres = new Map(
    entities.filter(({ type }) => type === 'pre').map((pre) => [`${pre.offset}:${pre.length}`, pre]),
  );
  return entities.flatMap(({ language, ...entity }) => {
    const pre = pres.get(`${entity.offset}:${entity.length}`);
    if (entity.type !== 'code' || pre === undefined) return [language === undefined ? entity : { ...entity, language }];
    if (language !== undefined) pre.language = language;
    return [];
  });
}

/**
 * Reads `parse_mode: HTML`: a short list of tags, four named characters, and errors worded as the real server words
 * them. Source: https://core.telegram.org/bots/api#html-style
 */
export function parseHtml(source: string): FormattedText {
  const entities: WireEntity[] = [];
  const open: OpenTag[] = [];
  let text = '';
  let index = 0;
  while (index < source.length) {
    const next = source.indexOf('<', index);
    text += decodeCharacters(source.slice(index, next === -1 ? source.length : next));
    if (next === -1) break;
    const at = byteOffset(source, next);
    const closing = source[next + 1] === '/';
    const name = (/^[^\s>]*/.exec(source.slice(next + (closing ? 2 : 1)))?.[0] ?? '').toLowerCase();
    const afterName = next + (closing ? 2 : 1) + name.length;
    const end = endOfTag(source, afterName);
    // The server knows a tag by its name before it looks for its end.
    if (!closing && afterName < source.length && !(name in typeOfTag))
      throw refuse(`Unsupported start tag "${name}" at byte offset ${at}`);
    if (end === -1) throw refuse(`Unclosed ${closing ? 'end' : 'start'} tag at byte offset ${at}`);
    index = end + 1;
    if (closing) {
      const tag = open.pop();
      if (tag === undefined) throw refuse(`Unexpected end tag at byte offset ${at}`);
      if (name !== '' && name !== tag.name)
        throw refuse(`Unmatched end tag at byte offset ${at}, expected "</${tag.name}>", found "</${name}>"`);
      const entity = entityOf(tag, text.length - tag.offset);
      if (entity !== undefined) entities.push(withLanguage(entity, tag, open));
      continue;
    }
    const attributes = readAttributes(source.slice(afterName, end), name, at);
    if (name === 'span' && attributes.class !== 'tg-spoiler')
      throw refuse(`Tag "span" must have class "tg-spoiler" at byte offset ${at}`);
    open.push({ name, offset: text.length, attributes });
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw refuse(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: joinCodeBlocks(entities) };
}

/** The `>` that ends the tag; one inside a quoted attribute does not. */
function endOfTag(source: string, start: number): number {
  let quote = '';
  for (let index = start; index < source.length; index += 1) {
    const character = source[index] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return index;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

function withLanguage(entity: WireEntity, tag: OpenTag, parents: readonly OpenTag[]): WireEntity {
  const language = /^language-(.+)$/.exec(tag.attributes.class ?? '')?.[1];
  return tag.name === 'code' && parents.at(-1)?.name === 'pre' && language !== undefined
    ? { ...entity, language }
    : entity;
}
