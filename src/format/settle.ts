import type {
  Association,
  BlockContent,
  Definition,
  DefinitionContent,
  PhrasingContent,
  Root,
  RootContent,
} from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import { emphasizeBesideCjk } from './cjk.ts';
import { type Block, type Doc, type Inline, type List, type ListItem, paragraph, type Table, text } from './nodes.ts';

/** Deeper nesting than anybody writes reads as flat text, so that no renderer can run out of stack. */
const MAX_DEPTH = 24;

interface Settling {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Footnotes in the order of their definitions; they are put at the end of the document. */
  readonly footnotes: Block[];
  /** How many more characters of addresses may stand where they are referred to. */
  room: number;
}

/** One long address to which everything refers would make megabytes of a few kilobytes. */
const REFERENCES_MAX = 50_000;

/** Resolves references and footnotes, makes text of raw HTML, and so closes the set of node types. */
export function settle(root: Root): Doc {
  const definitions = new Map<string, Definition>();
  collectDefinitions(root.children, definitions, 0);
  const settling: Settling = { definitions, footnotes: [], room: REFERENCES_MAX };
  const children = blocks(root.children, settling, 0);
  return { type: 'root', children: [...children, ...settling.footnotes] };
}

/** Of two definitions of one name the first counts, as CommonMark rules. */
function collectDefinitions(nodes: readonly RootContent[], found: Map<string, Definition>, depth: number): void {
  for (const node of nodes) {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
    if ('children' in node && depth < MAX_DEPTH) collectDefinitions(node.children, found, depth + 1);
  }
}

function blocks(nodes: readonly RootContent[], settling: Settling, depth: number): Block[] {
  return nodes.flatMap((node) => block(node, settling, depth));
}

function block(node: RootContent, settling: Settling, depth: number): Block[] {
  if (depth > MAX_DEPTH) return flat(node);
  switch (node.type) {
    case 'paragraph':
      return filled(inlines(node.children, settling, depth));
    case 'heading':
      return [{ type: 'heading', depth: node.depth, children: inlines(node.children, settling, depth) }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocks(node.children, settling, depth + 1) }];
    case 'list':
      return [list(node, settling, depth)];
    case 'code':
      return [{ type: 'code', lang: node.lang ?? null, meta: node.meta ?? null, value: node.value }];
    case 'table':
      return [table(node, settling, depth)];
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }];
    case 'html':
      return filled(html(node.value));
    case 'footnoteDefinition':
      settling.footnotes.push(...footnote(node, settling, depth));
      return [];
    case 'definition':
    case 'yaml':
      return [];
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      return flat(node); // not a block by itself; the parser puts it into its list or table
    default:
      return filled(inline(node, settling, depth));
  }
}

function list(node: Extract<RootContent, { type: 'list' }>, settling: Settling, depth: number): List {
  const items = node.children.map(
    (item): ListItem => ({
      type: 'listItem',
      spread: item.spread ?? false,
      checked: item.checked ?? null,
      children: blocks(item.children, settling, depth + 1),
    }),
  );
  return {
    type: 'list',
    ordered: node.ordered ?? false,
    start: node.start ?? 1,
    spread: node.spread ?? false,
    children: items,
  };
}

function table(node: Extract<RootContent, { type: 'table' }>, settling: Settling, depth: number): Table {
  return {
    type: 'table',
    align: node.align?.map((side) => side ?? null) ?? [],
    children: node.children.map((row) => ({
      type: 'tableRow',
      children: row.children.map((cell) => ({ type: 'tableCell', children: inlines(cell.children, settling, depth) })),
    })),
  };
}

function footnote(
  node: Association & { readonly children: (BlockContent | DefinitionContent)[] },
  settling: Settling,
  depth: number,
): Block[] {
  const mark = text(`[${node.label ?? node.identifier}] `);
  const [first, ...rest] = blocks(node.children, settling, depth + 1);
  if (first === undefined) return [paragraph([text(mark.value.trimEnd())])];
  if (first.type !== 'paragraph') return [paragraph([text(mark.value.trimEnd())]), first, ...rest];
  return [paragraph([mark, ...first.children]), ...rest];
}

/** Raw HTML becomes text between texts, of which one is made: a thousand tags would be thousands of nodes. */
function inlines(nodes: readonly PhrasingContent[], settling: Settling, depth: number): Inline[] {
  const joined: Inline[] = [];
  for (const next of nodes.flatMap((node) => inline(node, settling, depth))) {
    const last = joined.at(-1);
    if (next.type === 'text' && last?.type === 'text') joined[joined.length - 1] = text(last.value + next.value);
    else joined.push(next);
  }
  return joined;
}

function inline(node: PhrasingContent, settling: Settling, depth: number): Inline[] {
  if (depth > MAX_DEPTH) return [text(textOf(node))];
  const deeper = (children: readonly PhrasingContent[]): Inline[] => inlines(children, settling, depth + 1);
  switch (node.type) {
    case 'text':
      return emphasizeBesideCjk(node);
    case 'strong':
    case 'emphasis':
    case 'delete':
      return [{ type: node.type, children: deeper(node.children) }];
    case 'inlineCode':
      return [{ type: 'inlineCode', value: node.value }];
    case 'break':
      return [{ type: 'break' }];
    case 'link':
      return link(node.url, deeper(node.children));
    case 'linkReference':
      return link(addressOf(node, settling), deeper(node.children));
    case 'image':
      return [image(node.url, node.alt ?? '')];
    case 'imageReference':
      return [image(addressOf(node, settling), node.alt ?? '')];
    case 'footnoteReference':
      return [text(`[${node.label ?? node.identifier}]`)];
    case 'html':
      return html(node.value);
    default:
      node satisfies never;
      return [];
  }
}

function addressOf({ identifier }: Association, settling: Settling): string | undefined {
  const url = settling.definitions.get(identifier)?.url;
  if (url === undefined || url.length > settling.room) return undefined;
  settling.room -= url.length;
  return url;
}

/** Longer addresses are pictures in disguise or bombs, and none of a message's parts could hold one. */
const ADDRESS_MAX = 2_000;

const link = (url: string | undefined, children: Inline[]): Inline[] =>
  url === undefined || url.length > ADDRESS_MAX ? children : [{ type: 'link', url, children }];

const image = (url: string | undefined, alt: string): Inline => ({
  type: 'image',
  url: url === undefined || url.length > ADDRESS_MAX ? '' : url,
  alt,
});

/** Raw HTML is shown as it was written, but for line breaks, which models put into table cells, and comments. */
function html(value: string): Inline[] {
  if (/^<br\s*\/?>$/i.test(value)) return [{ type: 'break' }];
  const shown = value.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return shown === '' ? [] : [text(shown)];
}

const filled = (children: Inline[]): Block[] => (children.length === 0 ? [] : [paragraph(children)]);

function flat(node: RootContent): Block[] {
  const value = textOf(node);
  return value === '' ? [] : [paragraph([text(value)])];
}
