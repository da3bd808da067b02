import {
  type Block,
  type Doc,
  displayWidth,
  type Inline,
  itemMark,
  type List,
  type ListItem,
  mentionedUser,
  plain,
  RULE,
  showsTarget,
  type Table,
  tableLines,
} from '../../../src/format/index.ts';
import { type Rendered, Writer } from './writer.ts';

/** Where in the document the renderer is; Telegram allows neither quotes in quotes nor code in links. */
interface Place {
  readonly listDepth: number;
  readonly inQuote: boolean;
  readonly inLink: boolean;
}

const top: Place = { listDepth: 0, inQuote: false, inLink: false };

/**
 * A document as text with entities. Entities rather than HTML: nothing has to be escaped, nothing can fail to parse,
 * and the length that Telegram counts is the length of the text.
 */
export function render(document: Doc): Rendered {
  const writer = new Writer();
  blocks(writer, document.children, top, '\n\n');
  return writer.done();
}

/** A document without any formatting, for the message whose formatting was refused. */
export const renderPlain = (document: Doc): Rendered => ({ text: plain(document).toWellFormed(), entities: [] });

function blocks(writer: Writer, nodes: readonly Block[], place: Place, gap: string): void {
  nodes.forEach((node, index) => {
    if (index > 0) writer.write(gap);
    block(writer, node, place);
  });
}

function block(writer: Writer, node: Block, place: Place): void {
  switch (node.type) {
    case 'paragraph':
      inlines(writer, node.children, place);
      break;
    case 'heading':
      writer.mark({ type: 'bold' }, () => inlines(writer, node.children, place));
      break;
    case 'blockquote': {
      const inside = (): void => blocks(writer, node.children, { ...place, inQuote: true }, '\n\n');
      if (place.inQuote) inside();
      else writer.mark({ type: 'blockquote' }, inside);
      break;
    }
    case 'list':
      list(writer, node, place);
      break;
    case 'code':
      preformatted(writer, node.value, node.lang);
      break;
    case 'table':
      table(writer, node, place);
      break;
    case 'thematicBreak':
      writer.write(RULE);
      break;
    default:
      node satisfies never;
  }
}

function list(writer: Writer, node: List, place: Place): void {
  node.children.forEach((item, index) => {
    if (index > 0) writer.write(node.spread ? '\n\n' : '\n');
    listItem(writer, item, itemMark(node, item, index, place.listDepth), place);
  });
}

function listItem(writer: Writer, item: ListItem, mark: string, place: Place): void {
  writer.write(mark);
  const inside = { ...place, listDepth: place.listDepth + 1 };
  writer.indented('   ', () => blocks(writer, item.children, inside, item.spread ? '\n\n' : '\n'));
}

const LANGUAGE = /^[\w+#.-]{1,32}$/;

/** Starts at the margin even inside a list: indents would become part of the code that people copy. */
function preformatted(writer: Writer, value: string, language: string | null): void {
  const known = language !== null && LANGUAGE.test(language) ? { language } : {};
  writer.indented(null, () => writer.mark({ type: 'pre', ...known }, () => writer.write(value)));
}

/** Wider than this, lines of preformatted text wrap on phones, and the columns with them. */
const TABLE_MAX_COLUMNS = 56;
/** Each cell of a row that is told by itself needs an entity for its name, of which a message holds a hundred. */
const RECORD_MAX_CELLS = 20;

/** Telegram has no tables: narrow ones line up in its monospaced font, wide ones are told row by row. */
function table(writer: Writer, node: Table, place: Place): void {
  const lines = tableLines(node, cellText);
  const isNarrow = lines.every((line) => displayWidth(line) <= TABLE_MAX_COLUMNS);
  const isHuge = node.children.some((row) => row.children.length > RECORD_MAX_CELLS);
  if (isNarrow || isHuge || node.children.length < 2) preformatted(writer, lines.join('\n'), null);
  else tableRecords(writer, node, place);
}

function tableRecords(writer: Writer, { children: [header, ...rows] }: Table, place: Place): void {
  rows.forEach((row, index) => {
    if (index > 0) writer.write('\n\n');
    const cells = row.children.map((cell, column) => ({
      name: header?.children[column]?.children ?? [],
      value: cell.children,
    }));
    const filled = cells.filter(({ value }) => value.length > 0);
    filled.forEach(({ name, value }, line) => {
      if (line > 0) writer.write('\n');
      if (name.length > 0) writer.mark({ type: 'bold' }, () => inlines(writer, name, place));
      if (name.length > 0) writer.write(': ');
      inlines(writer, value, place);
    });
  });
}

/** Nothing inside preformatted text can be a link, so the address stands there. */
const cellText = (cell: readonly Inline[]): string =>
  plain({ type: 'root', children: [{ type: 'paragraph', children: [...cell] }] });

function inlines(writer: Writer, nodes: readonly Inline[], place: Place): void {
  for (const node of nodes) inline(writer, node, place);
}

function inline(writer: Writer, node: Inline, place: Place): void {
  switch (node.type) {
    case 'text':
      writer.write(node.value);
      break;
    case 'strong':
      writer.mark({ type: 'bold' }, () => inlines(writer, node.children, place));
      break;
    case 'emphasis':
      writer.mark({ type: 'italic' }, () => inlines(writer, node.children, place));
      break;
    case 'delete':
      writer.mark({ type: 'strikethrough' }, () => inlines(writer, node.children, place));
      break;
    case 'inlineCode':
      if (place.inLink) writer.write(node.value);
      else writer.mark({ type: 'code' }, () => writer.write(node.value));
      break;
    case 'break':
      writer.write('\n');
      break;
    case 'link':
      link(writer, node.url, plainLabel(node.children), () =>
        inlines(writer, node.children, { ...place, inLink: true }),
      );
      break;
    case 'image':
      link(writer, node.url, node.alt, () => writer.write(node.alt));
      break;
    default:
      node satisfies never;
  }
}

const LINKED = /^(?:https?:\/\/|tg:\/\/|mailto:)/i;

/** Bare addresses are left to Telegram, which finds them by itself; other schemes are never made clickable. */
function link(writer: Writer, url: string, label: string, write: () => void): void {
  const user = mentionedUser(url);
  if (user !== null) mention(writer, user, label, write);
  else if (label.trim() === '') writer.write(url);
  else if (!LINKED.test(url) || showsTarget(label, url)) write();
  else writer.mark({ type: 'text_link', url: url.toWellFormed() }, write);
}

/** Of people who are named by their username alone nobody tells us a number; their name with its `@` calls them too. */
function mention(writer: Writer, user: string, label: string, write: () => void): void {
  const id = /^[1-9]\d{0,15}$/.test(user) ? Number(user) : undefined;
  if (/^@\w{4,32}$/.test(user)) writer.write(user);
  else if (id === undefined || label.trim() === '') writer.write(label === '' ? user : label);
  else writer.mark({ type: 'text_mention', user: { id } }, write);
}

const plainLabel = (nodes: readonly Inline[]): string =>
  nodes.map((node) => ('children' in node ? plainLabel(node.children) : 'value' in node ? node.value : '')).join('');
