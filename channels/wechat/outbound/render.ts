import {
  type Block,
  type Doc,
  displayWidth,
  type Inline,
  itemMark,
  type List,
  RULE,
  showsTarget,
  type Table,
  tableRecords,
  withDeadLinks,
} from '../../../src/format/index.ts';

/**
 * `plain`: the app shows every character as it is. `ilink`: the apps read some Markdown into a bot's words, so that
 * fences keep code as it is, and what looks like a tag outside of code would vanish.
 */
export type Style = 'plain' | 'ilink';

/** A document as text that reads well in WeChat: no markup but what people type themselves. */
export function render(document: Doc, style: Style = 'plain'): string {
  return blocks(document.children, { style, depth: 0 }, '\n\n');
}

interface Place {
  readonly style: Style;
  /** Of lists around. */
  readonly depth: number;
}

const blocks = (nodes: readonly Block[], place: Place, gap: string): string =>
  nodes.map((node) => block(node, place)).join(gap);

function block(node: Block, place: Place): string {
  switch (node.type) {
    case 'paragraph':
      return inlines(node.children, place);
    case 'heading':
      return heading(node.depth, inlines(node.children, place));
    case 'blockquote':
      return lines(blocks(node.children, place, '\n\n'), '▍ ', '▍ ');
    case 'list':
      return list(node, place);
    case 'code':
      return code(node.value, node.lang, place);
    case 'table':
      return table(node, place);
    case 'thematicBreak':
      return RULE;
    default:
      return node satisfies never;
  }
}

/** Without sizes of type, brackets that Chinese texts use for headings tell the upper levels. */
function heading(depth: number, text: string): string {
  return depth <= 2 && !text.includes('\n') ? `【${text}】` : text;
}

function list(node: List, place: Place): string {
  const inside = { ...place, depth: place.depth + 1 };
  return node.children
    .map((item, index) => {
      const mark = itemMark(node, item, index, place.depth);
      const text = blocks(item.children, inside, item.spread ? '\n\n' : '\n');
      return lines(text, mark, ' '.repeat(displayWidth(mark)));
    })
    .join(node.spread ? '\n\n' : '\n');
}

function code(value: string, language: string | null, { style }: Place): string {
  if (style === 'plain') return value;
  const longest = Math.max(2, ...[...value.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#.-]{1,32}$/.test(language ?? '') ? language : ''}\n${value}\n${fence}`;
}

/** Wider than this, lines wrap on phones, and the columns with them. */
const TABLE_MAX_COLUMNS = 30;

const table = (node: Table, place: Place): string =>
  tableRecords(node, (cell) => inlines(cell, place), TABLE_MAX_COLUMNS);

const inlines = (nodes: readonly Inline[], place: Place): string => nodes.map((node) => inline(node, place)).join('');

function inline(node: Inline, place: Place): string {
  switch (node.type) {
    case 'text':
      return literal(node.value, place.style);
    case 'inlineCode':
      return inlineCode(node.value, place);
    case 'break':
      return '\n';
    case 'strong':
    case 'emphasis':
    case 'delete':
      return inlines(node.children, place);
    case 'link':
      return link(inlines(node.children, place), node.url);
    case 'image':
      return link(literal(node.alt, place.style), node.url);
    default:
      return node satisfies never;
  }
}

/**
 * Text that stands for itself. Where Markdown is read, a tag's opening bracket in its full width looks the same, and what
 * follows it stays.
 */
export const literal = (value: string, style: Style): string =>
  style === 'ilink' ? withDeadLinks(value.replace(/<(?=[\p{L}/!?])/gu, '＜')) : value;

function inlineCode(value: string, { style }: Place): string {
  const needsFence = style === 'ilink' && /[<*_~`[]/.test(value);
  if (!needsFence) return value;
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = value.startsWith('`') || value.endsWith('`') ? ' ' : '';
  return fence + pad + value + pad + fence;
}

const SHOWN_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)/i;

/** The address stands behind its words, where nobody can follow it otherwise; other schemes lead nowhere in WeChat. */
function link(label: string, url: string): string {
  if (label.trim() === '') return url;
  return !SHOWN_ADDRESS.test(url) || showsTarget(label, url) ? label : `${label} (${url.replace(/^mailto:/i, '')})`;
}

const lines = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n');
