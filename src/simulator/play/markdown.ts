import type { Nodes, Parents, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as plain } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import type { Look } from './port.ts';
import type { Reading } from './reading.ts';

/** What a platform's Markdown has beyond, or short of, everybody's. */
export interface Dialect {
  /** Writes words that are no markup, where the platform knows mentions in them; default: as they are. */
  readonly words?: (words: string, out: Reading) => void;
  /** Writes what looks like HTML; default: as it is. */
  readonly html?: (html: string, out: Reading) => void;
  /** Backslashes and entities stand for themselves. */
  readonly literal?: boolean;
}

/** Reads Markdown as the apps of most platforms show it. */
export function readMarkdown(markdown: string, out: Reading, dialect: Dialect = {}): void {
  const disabled = dialect.literal === true ? ['characterEscape', 'characterReference'] : [];
  const tree = fromMarkdown(markdown, {
    extensions: [gfm(), { disable: { null: ['codeIndented', 'definition', ...disabled] } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  writeBlocks(tree, out, dialect);
}

const LOOKS: Partial<Record<Nodes['type'], Look['kind']>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strike',
  heading: 'heading',
  blockquote: 'quote',
};

function write(node: RootContent, out: Reading, dialect: Dialect): void {
  const { words = (text, to) => to.add(text), html = words } = dialect;
  switch (node.type) {
    case 'text':
      words(node.value, out);
      break;
    case 'html':
      html(node.value, out);
      break;
    case 'inlineCode':
      out.look('code', () => out.add(node.value));
      break;
    case 'code':
      out.look('block', () => out.add(node.value));
      break;
    case 'break':
      out.add('\n');
      break;
    case 'thematicBreak':
      out.add('———');
      break;
    case 'link':
      out.look('link', () => writeInlines(node, out, dialect), { url: node.url });
      break;
    case 'image':
      out.look('link', () => out.add(node.alt === null || node.alt === '' ? node.url : String(node.alt)), {
        url: node.url,
      });
      break;
    case 'list':
      writeList(node, out, dialect);
      break;
    case 'table':
      out.look('block', () => out.add(tableText(node)));
      break;
    default:
      if (!('children' in node)) return;
      writeStyled(node, out, dialect);
  }
}

function writeStyled(node: Parents, out: Reading, dialect: Dialect): void {
  const kind = LOOKS[node.type];
  const inside = node.type === 'blockquote' ? writeBlocks : writeInlines;
  if (kind === undefined) inside(node, out, dialect);
  else out.look(kind, () => inside(node, out, dialect));
}

function writeInlines({ children }: Parents, out: Reading, dialect: Dialect): void {
  for (const child of children) write(child, out, dialect);
}

/** Blocks stand as far apart as they were written. */
function writeBlocks({ children }: Parents, out: Reading, dialect: Dialect): void {
  let last: number | undefined;
  for (const child of children) {
    const line = child.position?.start.line ?? 0;
    if (last !== undefined) out.add(line - last > 1 ? '\n\n' : '\n');
    write(child, out, dialect);
    last = child.position?.end.line ?? line;
  }
}

function writeList(
  { children, ordered, start }: Extract<RootContent, { type: 'list' }>,
  out: Reading,
  dialect: Dialect,
) {
  for (const [index, item] of children.entries()) {
    if (index > 0) out.add('\n');
    const box = typeof item.checked === 'boolean' ? (item.checked ? '☑ ' : '☐ ') : '• ';
    out.add(ordered === true ? `${(start ?? 1) + index}. ` : box);
    out.indented('   ', () => writeBlocks(item, out, dialect));
  }
}

const tableText = ({ children }: Table): string =>
  children.map((row) => row.children.map((cell) => plain(cell)).join(' | ')).join('\n');
