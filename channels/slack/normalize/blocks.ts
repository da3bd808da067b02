import { property } from '../../../src/base/property.ts';

/**
 * Blocks as text in Slack's form, for messages that have no other: those of workflows and integrations, and lists and
 * quotes typed by people. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export function blocksText(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => blockText(block, 0))
    .filter((text) => text !== '')
    .join('\n');
}

/** Deeper nesting is no honest message. */
const DEPTH_MAX = 12;

type Converter = (block: unknown, depth: number) => string;

const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['rich_text', (block, depth) => lines(property(block, 'elements'), depth)],
  ['rich_text_section', (block) => inline(property(block, 'elements'))],
  ['rich_text_quote', (block) => prefixed(inline(property(block, 'elements')), '&gt; ')],
  ['rich_text_preformatted', (block) => `\`\`\`\n${inline(property(block, 'elements'))}\n\`\`\``],
  ['rich_text_list', listText],
  ['section', (block) => [textOf(block), ...listOf(property(block, 'fields')).map(string)].filter(Boolean).join('\n')],
  ['header', textOf],
  ['markdown', textOf],
  ['alert', textOf],
  ['context', (block) => listOf(property(block, 'elements')).map(string).filter(Boolean).join(' ')],
  ['image', (block) => `[image ${string(property(block, 'title')) || string(property(block, 'alt_text'))}]`],
  ['video', (block) => `[video ${string(property(block, 'title')) || string(property(block, 'alt_text'))}]`],
  ['table', tableText],
  ['divider', () => '———'],
]);

function blockText(block: unknown, depth: number): string {
  const type = property(block, 'type');
  const convert = typeof type === 'string' ? converters.get(type) : undefined;
  return convert === undefined || depth > DEPTH_MAX ? '' : convert(block, depth + 1);
}

const lines = (elements: unknown, depth: number): string =>
  listOf(elements)
    .map((element) => blockText(element, depth))
    .join('\n');

function listText(block: unknown, depth: number): string {
  const isOrdered = property(block, 'style') === 'ordered';
  const indent = '  '.repeat(Math.min(8, Math.max(0, Number(property(block, 'indent')) || 0)));
  return listOf(property(block, 'elements'))
    .map((item, index) => `${indent}${isOrdered ? `${index + 1}.` : '•'} ${blockText(item, depth)}`)
    .join('\n');
}

function tableText(block: unknown, depth: number): string {
  return listOf(property(block, 'rows'))
    .map((row) =>
      listOf(row)
        .map((cell) => blockText(cell, depth) || textOf(cell))
        .join(' | '),
    )
    .join('\n');
}

/** The elements of a line, as the tokens that a text would have. */
function inline(elements: unknown): string {
  return listOf(elements).map(inlineText).join('');
}

function inlineText(element: unknown): string {
  const field = (name: string): string => {
    const value = property(element, name);
    return typeof value === 'string' ? value : '';
  };
  switch (property(element, 'type')) {
    case 'text':
      return escaped(field('text'));
    case 'user':
      return `<@${field('user_id')}>`;
    case 'channel':
      return `<#${field('channel_id')}>`;
    case 'usergroup':
      return `<!subteam^${field('usergroup_id')}>`;
    case 'broadcast':
      return `<!${field('range')}>`;
    case 'link':
      return field('text') === ''
        ? `<${escaped(field('url'))}>`
        : `<${escaped(field('url'))}|${escaped(field('text'))}>`;
    case 'emoji':
      return `:${field('name')}:`;
    case 'date':
      return field('fallback');
    case 'color':
      return field('value');
    default:
      return '';
  }
}

/** A text object, or a plain string. */
function string(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = property(value, 'text');
  return typeof text === 'string' ? text : '';
}

function textOf(block: unknown): string {
  return string(property(block, 'text'));
}

const prefixed = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n');

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Whether a person is mentioned in rich text outside code; undefined when there is no rich text to tell by. In a text
 * alone, a mention that somebody pasted into code looks like any other.
 */
export function mentionedInBlocks(blocks: readonly unknown[], userId: string): boolean | undefined {
  const rich = blocks.filter((block) => property(block, 'type') === 'rich_text');
  return rich.length === 0 ? undefined : rich.some((block) => mentions(block, userId, 0));
}

function mentions(element: unknown, userId: string, depth: number): boolean {
  const type = property(element, 'type');
  if (type === 'user') return property(element, 'user_id') === userId;
  if (type === 'rich_text_preformatted' || depth > DEPTH_MAX) return false;
  return listOf(property(element, 'elements')).some((inner) => mentions(inner, userId, depth + 1));
}
