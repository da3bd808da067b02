import type { Block, Doc, Inline, List, Table } from './nodes.ts';

/**
 * How long a document is once it is written as Markdown, in UTF-16 code units: a little more than the truth rather
 * than less. Writing a document takes milliseconds, and whoever looks for the place to cut it measures it dozens of
 * times; this takes one cheap pass.
 */
export const writtenSize = (document: Doc): number => blocksSize(document.children, GAP);

/** Between two blocks: a line's end and a blank line. */
const GAP = 2;

function blocksSize(blocks: readonly Block[], gap: number): number {
  let size = 0;
  for (const block of blocks) size += blockSize(block) + gap;
  return size;
}

function blockSize(block: Block): number {
  switch (block.type) {
    case 'paragraph':
      return inlinesSize(block.children);
    case 'heading':
      return block.depth + 1 + inlinesSize(block.children);
    case 'blockquote':
      return prefixed(blocksSize(block.children, GAP), linesIn(block.children), '> '.length);
    case 'list':
      return listSize(block);
    case 'code':
      return (
        block.value.length + 2 * (fenceOf(block.value) + 1) + (block.lang ?? '').length + (block.meta ?? '').length
      );
    case 'table':
      return tableSize(block);
    case 'thematicBreak':
      return '---'.length;
    default:
      return block satisfies never;
  }
}

/** Every line but the first is indented by the width of the mark. */
function listSize(list: List): number {
  const last = String(list.start + list.children.length).length;
  const mark = list.ordered ? last + '. '.length : '- '.length;
  let size = 0;
  for (const item of list.children) {
    const box = item.checked === null ? 0 : '[ ] '.length;
    size += prefixed(blocksSize(item.children, GAP), linesIn(item.children), mark) + box + GAP;
  }
  return size;
}

/** `| a | b |`, and a row of `| - |`. */
function tableSize(table: Table): number {
  let size = 0;
  for (const row of table.children) {
    size += 2;
    for (const cell of row.children) size += inlinesSize(cell.children) + 3;
  }
  return size + 2 + 5 * (table.children[0]?.children.length ?? 0);
}

const prefixed = (size: number, lines: number, prefix: number): number => size + lines * prefix;

/** At least as many as are written. */
function linesIn(blocks: readonly Block[]): number {
  let lines = 0;
  for (const block of blocks) lines += 1 + blockLines(block);
  return lines;
}

function blockLines(block: Block): number {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inlineLines(block.children);
    case 'blockquote':
      return linesIn(block.children);
    case 'list': {
      let lines = 0;
      for (const item of block.children) lines += 1 + linesIn(item.children);
      return lines;
    }
    case 'code':
      return occurrences(block.value, '\n') + 3;
    case 'table':
      return block.children.length + 1;
    case 'thematicBreak':
      return 1;
    default:
      return block satisfies never;
  }
}

function inlineLines(nodes: readonly Inline[]): number {
  let lines = 1;
  for (const node of nodes) {
    if (node.type === 'break') lines += 1;
    else if (node.type === 'text') lines += occurrences(node.value, '\n');
    else if ('children' in node) lines += inlineLines(node.children);
  }
  return lines;
}

function inlinesSize(nodes: readonly Inline[]): number {
  let size = 0;
  for (const node of nodes) size += inlineSize(node);
  return size;
}

function inlineSize(node: Inline): number {
  switch (node.type) {
    case 'text':
      return node.value.length + escapesIn(node.value);
    case 'inlineCode':
      return node.value.includes('`') ? node.value.length + 2 * (ticksIn(node.value) + 2) : node.value.length + 2;
    case 'break':
      return '\\\n'.length;
    case 'strong':
    case 'delete':
      return inlinesSize(node.children) + 4;
    case 'emphasis':
      return inlinesSize(node.children) + 2;
    case 'link':
      return inlinesSize(node.children) + addressSize(node.url);
    case 'image':
      return node.alt.length + escapesIn(node.alt) + addressSize(node.url) + 1;
    default:
      return node satisfies never;
  }
}

/** `[](<…>)`, in which brackets and the like are escaped. */
const addressSize = (url: string): number => url.length + '[](<>)'.length + (url.match(/[\\()<>&_*]/g)?.length ?? 0);

/** What is written with a backslash in front of it, or may be. */
const ESCAPED = /[\\`*_~[\]<&|]|:\/\/|www\.|@|^[ \t]*(?:[-+#=>]|\d+[.)])/gim;
const escapesIn = (text: string): number => text.match(ESCAPED)?.length ?? 0;

/** The longest run of backticks. */
function ticksIn(value: string): number {
  let most = 0;
  for (const [run] of value.matchAll(/`+/g)) most = Math.max(most, run.length);
  return most;
}

const fenceOf = (value: string): number => (value.includes('```') ? Math.max(3, ticksIn(value) + 1) : 3);

function occurrences(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) count += 1;
  return count;
}
