import { badRequest } from '../api-error.ts';
import type { WireEntity } from '../wire.ts';
import { byteOffset, type FormattedText, normalise } from './builder.ts';
import { withDetected } from './detect.ts';
import { parseHtml } from './html.ts';
import { parseLegacyMarkdown } from './markdown.ts';
import { parseMarkdownV2 } from './markdown-v2.ts';

export type { FormattedText } from './builder.ts';
export { withDetected } from './detect.ts';

const parsers: Readonly<Record<string, (source: string) => FormattedText>> = {
  html: parseHtml,
  markdown: parseLegacyMarkdown,
  markdownv2: parseMarkdownV2,
};

/**
 * What a bot's text looks like to people.
 * @throws ApiError 400 as the real server words it, when the formatting cannot be read.
 */
export function format(source: string, parseMode: string, entities: readonly WireEntity[]): FormattedText {
  if (parseMode === '') return withDetected(normalise({ text: source, entities: checked(source, entities) }));
  const parser = parsers[parseMode.toLowerCase()];
  if (parser === undefined) throw badRequest('unsupported parse_mode');
  return withDetected(normalise(parser(source)));
}

/** Refuses entities that end outside the text or cut a surrogate pair in two. */
function checked(text: string, entities: readonly WireEntity[]): readonly WireEntity[] {
  for (const { offset, length } of entities) {
    const end = offset + length;
    if (offset < 0) throw badRequest(`receive an entity with incorrect offset ${offset}`);
    if (length < 0) throw badRequest(`receive an entity with incorrect length ${length}`);
    if (offset > text.length) throw badRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`);
    const beginning = `entity beginning at UTF-16 offset ${offset} ends`;
    if (end > text.length) throw badRequest(`${beginning} after the end of the text at UTF-16 offset ${end}`);
    const inMiddle = (index: number): string =>
      `in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, index + 1)}`;
    if (splitsPair(text, offset)) throw badRequest(`entity begins ${inMiddle(offset)}`);
    if (splitsPair(text, end)) throw badRequest(`${beginning} ${inMiddle(end)}`);
  }
  return entities;
}

const splitsPair = (text: string, index: number): boolean =>
  index > 0 && index < text.length && /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
