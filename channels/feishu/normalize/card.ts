import type { Content, Source } from './content.ts';
import { isRecord, line, parseObject } from './json.ts';
import { elementText } from './post.ts';

/** What clients that cannot show a card get instead of it; it says nothing about the card. */
const UPGRADE = /请升级至最新版本客户端|please upgrade to the latest version/i;
const TEXT_MAX = 4_000;
const DEPTH_MAX = 12;

/** Fields that hold words, in the order in which people read them. */
const WORDS = [
  ...['title', 'subtitle', 'header', 'label', 'text', 'content', 'name', 'body', 'elements', 'fields', 'columns'],
  ...['placeholder', 'options', 'actions', 'i18n_elements', 'alt'],
];

/**
 * The words of a card of any version: what is sent to readers differs from what was made, so all of it is walked. A card
 * of version 2 comes as it was made, as JSON in a field of its own beside a plea to upgrade.
 */
export function readCard({ content }: Source): Content {
  const found: string[] = [];
  collect(madeOf(content), found, 0);
  const lines = found.filter((words, index) => words !== found[index - 1]);
  const text = lines.join('\n').slice(0, TEXT_MAX).toWellFormed().trim();
  return text === '' || UPGRADE.test(text) ? { text: '[card]', files: [], inside: 'card' } : { text, files: [] };
}

/** As it was made, where that is told. */
function madeOf(content: Source['content']): Source['content'] {
  for (const made of [content.user_dsl, content.json_card]) {
    const card = typeof made === 'string' ? parseObject(made) : undefined;
    if (card !== undefined) return card;
  }
  return content;
}

function collect(value: unknown, found: string[], depth: number): void {
  if (depth > DEPTH_MAX || found.length > TEXT_MAX) return;
  if (typeof value === 'string') {
    const words = unmarked(value).trim();
    if (words !== '') found.push(words);
  } else if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isInline)) {
      collect(value.map((part) => elementText(part, '', [])).join(''), found, depth + 1);
    } else for (const part of value) collect(part, found, depth + 1);
  } else if (isRecord(value)) {
    if (value.tag === 'table') for (const row of tableRows(value)) collect(row, found, depth + 1);
    else for (const key of WORDS) collectField(value, key, found, depth);
  }
}

function collectField(element: Record<string, unknown>, key: string, found: string[], depth: number): void {
  const value = element[key];
  if (key === 'name' && element.tag !== undefined) return; // what a form calls its field
  if (key === 'i18n_elements') {
    if (element.elements === undefined && isRecord(value)) collect(Object.values(value)[0], found, depth + 1);
  } else collect(value, found, depth + 1);
}

/** Parts of one line, as readers get them in cards of version 1. */
const INLINE = new Set<unknown>(['text', 'a', 'at', 'emotion', 'img']);
const isInline = (part: unknown): boolean =>
  isRecord(part) && INLINE.has(part.tag) && (part.text === undefined || typeof part.text === 'string');

function tableRows({ columns, rows }: Record<string, unknown>): string[] {
  const shown = Array.isArray(columns) ? columns.filter(isRecord) : [];
  const cells = Array.isArray(rows) ? rows.filter(isRecord) : [];
  return [
    shown.map((column) => line(column.display_name)).join(' | '),
    ...cells.map((row) => shown.map((column) => cellText(row[line(column.name)])).join(' | ')),
  ];
}

/** A cell is words, a number, or a list of people or labels. */
function cellText(cell: unknown): string {
  if (Array.isArray(cell)) return cell.map((part) => (isRecord(part) ? line(part.text) : line(part))).join(', ');
  return line(cell);
}

/** Words without the tags of cards; people are called by their entry in the list of mentions, where they have one. */
function unmarked(text: string): string {
  return text
    .replace(/<at\b([^<>]{0,300})>([^<>]{0,100})<\/at>/g, (_, attributes: string, name: string) => {
      const key = /mention_key="?(@_\w+)/.exec(attributes)?.[1];
      if (key !== undefined) return key;
      if (/\b(?:id|user_id)="?all\b/.test(attributes)) return '@_all';
      return `@${name.trim() || 'someone'}`;
    })
    .replace(/<\/?(?:font|text_tag|number_tag)\b[^<>]{0,100}>/g, '');
}
