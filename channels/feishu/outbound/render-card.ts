import {
  type Block,
  type Doc,
  type Inline,
  type List,
  mentionedUser,
  showsTarget,
  type Table,
  type TableRow,
} from '../../../src/format/index.ts';
import { mentionedId } from './mention.ts';

/**
 * A document in the Markdown of cards (JSON 2.0): CommonMark with tables, but with tags of its own (`<at>`, `<font>`),
 * emoji names between colons, and images by key only. What could be mistaken for any of it is written as an entity,
 * which is how the platform wants it escaped.
 * https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/rich-text
 */
export const renderCardMarkdown = (document: Doc): string => blocks(document.children, '\n\n');

function blocks(nodes: readonly Block[], gap: string): string {
  return nodes.map(block).join(gap);
}

function block(node: Block): string {
  switch (node.type) {
    case 'paragraph':
      return lineStarts(inlines(node.children));
    case 'heading':
      return `${'#'.repeat(node.depth)} ${inlines(node.children).replaceAll('\n', ' ')}`;
    case 'blockquote':
      return prefixed(blocks(node.children, '\n\n'), '> ', '> ');
    case 'list':
      return list(node);
    case 'code':
      return fence(node.value, node.lang);
    case 'table':
      return table(node);
    case 'thematicBreak':
      return '---';
    default:
      return node satisfies never;
  }
}

/** Nesting is by four spaces, whatever the mark. */
const INDENT = '    ';

function list(node: List): string {
  const items = node.children.map((item, index) => {
    const box = item.checked === null ? '' : item.checked ? '☑ ' : '☐ ';
    const mark = node.ordered ? `${node.start + index}. ` : '- ';
    return prefixed(`${box}${blocks(item.children, item.spread ? '\n\n' : '\n')}`, mark, INDENT);
  });
  return items.join(node.spread ? '\n\n' : '\n');
}

function fence(value: string, language: string | null): string {
  const longest = Math.max(2, ...[...value.matchAll(/^ {0,3}(`{3,})/gm)].map(([, ticks = '']) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${/^[\w+#.-]{1,32}$/.test(language ?? '') ? language : ''}\n${uncalled(value)}\n${ticks}`;
}

function table({ align, children }: Table): string {
  const columns = Math.max(1, ...children.map((row) => row.children.length));
  const marks = { left: ':--', right: '--:', center: ':-:' } as const;
  const rule = Array.from({ length: columns }, (_, column) => {
    const side = align[column] ?? null;
    return side === null ? '---' : marks[side];
  });
  const row = ({ children: cells }: TableRow): string =>
    `| ${Array.from({ length: columns }, (_, column) => cell(cells[column]?.children ?? [])).join(' | ')} |`;
  const [header, ...rows] = children.map(row);
  return [header, `| ${rule.join(' | ')} |`, ...rows].join('\n');
}

const cell = (nodes: readonly Inline[]): string =>
  inlines(nodes)
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '&#124;');

function inlines(nodes: readonly Inline[]): string {
  const parts = nodes.map(inline);
  return parts.reduce((written, part, index) => {
    const isMarked = MARKED.has(nodes[index]?.type ?? 'text');
    const wasMarked = MARKED.has(nodes[index - 1]?.type ?? 'text');
    const gap =
      (isMarked && wasMarked) ||
      (isMarked && SIGN_INSIDE_START.test(part) && WORD_END.test(written.slice(-2))) ||
      (wasMarked && SIGN_INSIDE_END.test(written.slice(-8)) && WORD_START.test(part));
    return `${written}${gap ? HAIR_SPACE : ''}${part}`;
  }, '');
}

const MARKED: ReadonlySet<Inline['type']> = new Set(['strong', 'emphasis', 'delete']);

/**
 * Between a letter and a mark with a sign behind it (`词**“词”**词`) the mark does not count, unless there is a space:
 * this one is hardly seen. Marks that touch each other would be taken for one.
 * https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
 */
const HAIR_SPACE = '\u200a';
const SIGN_INSIDE_START = /^[*~]+(?![*~])[\p{P}\p{S}]/u;
const SIGN_INSIDE_END = /[\p{P}\p{S}](?<![*~])[*~]+$/u;
/** Emoji are signs to some readers, and to those that go by UTF-16 letters. */
const WORD_START = /^(?:[^\s\p{P}\p{S}]|[\u{10000}-\u{10ffff}])/u;
const WORD_END = /(?:[^\s\p{P}\p{S}]|[\u{10000}-\u{10ffff}])$/u;

function inline(node: Inline): string {
  switch (node.type) {
    case 'text':
      return escaped(node.value);
    case 'strong':
      return marked('**', inlines(node.children));
    case 'emphasis':
      return marked('*', inlines(node.children));
    case 'delete':
      return marked('~~', inlines(node.children));
    case 'inlineCode':
      return code(node.value);
    case 'break':
      return '\n';
    case 'link':
      return link(node.url, plainLabel(node.children), inlines(node.children));
    case 'image':
      return link(node.url, node.alt, escaped(node.alt));
    default:
      return node satisfies never;
  }
}

/** Marks count only where they touch words, so spaces inside go outside. */
function marked(mark: string, text: string): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return words === '' ? text : `${before}${mark}${words}${mark}${after}`;
}

function code(value: string): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = value.startsWith('`') || value.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${uncalled(value).replaceAll('\n', ' ')}${pad}${ticks}`;
}

/** In code nothing can be escaped, and nobody promises that a tag in it calls nobody. */
const uncalled = (value: string): string => value.replace(/<(?=at\s)/gi, '＜');

const LINKED = /^(?:https?:\/\/|mailto:)/i;

/** One link of another scheme makes the platform refuse the whole card. */
function link(url: string, label: string, shown: string): string {
  const person = mentionedId(url);
  if (person !== null) return `<at id=${person}></at>`;
  if (!LINKED.test(url)) return shown === '' ? escaped(mentionedUser(url) ?? url) : shown;
  const target = url.replace(/[\s()<>]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  );
  if (label.trim() === '' || showsTarget(label, url)) return `[${escaped(url)}](${target})`;
  return `[${shown}](${target})`;
}

export const plainLabel = (nodes: readonly Inline[]): string =>
  nodes.map((node) => ('children' in node ? plainLabel(node.children) : 'value' in node ? node.value : '')).join('');

const entity = (character: string): string => `&#${character.codePointAt(0)};`;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/&(?=#?\w+;)/g, '&#38;')
    .replace(/[\\*_~`[\]<>]/g, entity)
    .replace(/:(?=[A-Za-z_]+:)/g, entity)
    .replace(/!(?=&#91;)/g, entity);
}

/** What would begin a heading, a list or a rule at the start of a line. */
function lineStarts(text: string): string {
  return text
    .replace(
      /^([ \t]*)(#{1,6})(?=\s|$)/gm,
      (_, space: string, marks: string) => space + [...marks].map(entity).join(''),
    )
    .replace(/^([ \t]*)([-+])(?=\s|$|-)/gm, (_, space: string, mark: string) => space + entity(mark))
    .replace(/^([ \t]*\d{1,9})([.)])(?=\s|$)/gm, (_, number: string, mark: string) => number + entity(mark))
    .replace(/^([ \t]*)(=+[ \t]*)$/gm, (_, space: string, marks: string) => space + [...marks].map(entity).join(''));
}

function prefixed(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? rest.trimEnd() : rest + line))
    .join('\n');
}
