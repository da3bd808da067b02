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
  type TableRow,
  tableRecords,
  WORD_JOINER,
  withDeadLinks,
} from '../../../src/format/index.ts';

/**
 * `bot`: what AI bots say is shown as Markdown with lists, code blocks and tables (page 101138). `app`: the messages of
 * apps know headings, bold, links, code within a line and quotes alone (page 90236).
 */
export type Dialect = 'bot' | 'app';

/**
 * A document as WeCom's Markdown. The platform takes neither escapes nor entities, so marks that stand in the text for
 * themselves stay as they are; what would vanish or ring somebody is made harmless.
 */
export const render = (document: Doc, dialect: Dialect): string =>
  blocks(document.children, { dialect, depth: 0 }, '\n\n');

interface Place {
  readonly dialect: Dialect;
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
      return `${'#'.repeat(node.depth)} ${oneLine(inlines(node.children, place))}`;
    case 'blockquote':
      return lines(blocks(node.children, place, '\n\n'), '> ', '> ');
    case 'list':
      return list(node, place);
    case 'code':
      return code(node.value, node.lang, place);
    case 'table':
      return table(node, place);
    case 'thematicBreak':
      return place.dialect === 'bot' ? '---' : RULE;
    default:
      return node satisfies never;
  }
}

function list(node: List, place: Place): string {
  const inside = { ...place, depth: place.depth + 1 };
  return node.children
    .map((item, index) => {
      const shown = itemMark(node, item, index, place.depth);
      const mark = place.dialect === 'app' || node.ordered ? shown : `- ${item.checked === null ? '' : shown}`;
      const text = blocks(item.children, inside, item.spread ? '\n\n' : '\n');
      return lines(
        text,
        mark,
        ' '.repeat(place.dialect === 'app' ? displayWidth(mark) : node.ordered ? mark.length : 2),
      );
    })
    .join(node.spread ? '\n\n' : '\n');
}

function code(value: string, language: string | null, { dialect }: Place): string {
  if (dialect === 'app') return inert(value);
  const kept = silent(value);
  const longest = Math.max(2, ...[...kept.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#.-]{1,32}$/.test(language ?? '') ? language : ''}\n${kept}\n${fence}`;
}

function table(node: Table, place: Place): string {
  return place.dialect === 'bot' ? grid(node, place) : records(node, place);
}

function grid({ align, children }: Table, place: Place): string {
  const columns = Math.max(1, ...children.map((row) => row.children.length));
  const marks = { left: ':--', right: '--:', center: ':-:' } as const;
  const side = (column: number): string => {
    const to = align[column] ?? null;
    return to === null ? '---' : marks[to];
  };
  const numbers = Array.from({ length: columns }, (_, column) => column);
  const row = ({ children: cells }: TableRow): string =>
    `| ${numbers.map((column) => oneLine(inlines(cells[column]?.children ?? [], place)).replaceAll('|', '｜')).join(' | ')} |`;
  const [header, ...rows] = children.map(row);
  return [header, `| ${numbers.map(side).join(' | ')} |`, ...rows].join('\n');
}

/** Wider than this, lines wrap on phones, and the columns with them. */
const TABLE_MAX_COLUMNS = 36;

const records = (node: Table, place: Place): string =>
  tableRecords(node, (cell) => inlines(cell, place), TABLE_MAX_COLUMNS);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const inlines = (nodes: readonly Inline[], place: Place): string => nodes.map((node) => inline(node, place)).join('');

function inline(node: Inline, place: Place): string {
  switch (node.type) {
    case 'text':
      return inert(node.value);
    case 'inlineCode':
      return inlineCode(silent(node.value));
    case 'break':
      return '\n';
    case 'strong':
      return marked('**', inlines(node.children, place));
    case 'emphasis':
      return place.dialect === 'bot' ? marked('*', inlines(node.children, place)) : inlines(node.children, place);
    case 'delete':
      return place.dialect === 'bot' ? marked('~~', inlines(node.children, place)) : inlines(node.children, place);
    case 'link':
      return link(inlines(node.children, place), node.url);
    case 'image':
      return link(inert(node.alt), node.url);
    default:
      return node satisfies never;
  }
}

/** Marks count only where they touch words and end before the line does, so spaces go outside and breaks end them. */
function marked(mark: string, text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(line) ?? [];
      return words === '' ? line : `${before}${mark}${words}${mark}${after}`;
    })
    .join('\n');
}

function inlineCode(value: string): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = value.startsWith('`') || value.endsWith('`') ? ' ' : '';
  return fence + pad + value + pad + fence;
}

const LINKED = /^(?:https?:\/\/|mailto:)/i;

/** Other schemes lead nowhere in WeCom, and a mention reads as the name: AI bots and apps cannot call anybody. */
function link(label: string, url: string): string {
  if (!LINKED.test(url)) return label.trim() === '' ? inert(url) : label;
  const target = url
    .toWellFormed()
    .replace(/[\s()<>]/g, (character) => encodeURIComponent(character).replace('(', '%28').replace(')', '%29'));
  return label.trim() === '' || showsTarget(label, url) ? target : `[${label.replaceAll('\n', ' ')}](${target})`;
}

/** `<@userid>` is WeCom's form of a mention, `<@all>` calls everybody; a model's text may do neither, not even as code. */
const silent = (text: string): string => text.toWellFormed().replace(/<(?=@)/g, `<${WORD_JOINER}`);

/**
 * Text that stands for itself. What looks like a tag in it would be taken for one (`<font>`, `<think>`), and vanish; a
 * bracket in its full width looks the same.
 */
export const inert = (text: string): string => withDeadLinks(silent(text).replace(/<(?=[\p{L}/!?])/gu, '＜'));

const lines = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n');
