import { mentionedUser } from './mentions.ts';
import type { Block, Doc, Inline, List, ListItem } from './nodes.ts';
import { tableLines } from './table.ts';

/** A document as text that reads well without any formatting; link targets stand behind their labels. */
export function plain(document: Doc): string {
  return blocksText(document.children, '\n\n');
}

function blocksText(blocks: readonly Block[], gap: string): string {
  return blocks.map(blockText).join(gap);
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return plainInline(block.children);
    case 'blockquote':
      return prefixLines(blocksText(block.children, '\n\n'), '> ', '> ');
    case 'list':
      return listText(block);
    case 'code':
      return block.value;
    case 'table':
      return tableLines(block, plainInline).join('\n');
    case 'thematicBreak':
      return RULE;
    default:
      return block satisfies never;
  }
}

/** Stands for a thematic break wherever the platform has none. */
export const RULE = '———';

function listText(list: List): string {
  return list.children.map((item, index) => itemText(list, item, index)).join(list.spread ? '\n\n' : '\n');
}

function itemText(list: List, item: ListItem, index: number): string {
  const mark = itemMark(list, item, index);
  return prefixLines(blocksText(item.children, item.spread ? '\n\n' : '\n'), mark, ' '.repeat(mark.length));
}

const BULLETS = ['• ', '◦ ', '▪ '] as const;

/** What stands in front of a list item: its box, its number, or the bullet of its depth (0 is the outermost list). */
export function itemMark(list: List, item: ListItem, index: number, depth = 0): string {
  if (item.checked !== null) return item.checked ? '☑ ' : '☐ ';
  if (list.ordered) return `${list.start + index}. `;
  return BULLETS[depth] ?? '▪ ';
}

function prefixLines(value: string, first: string, others: string): string {
  return value
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n');
}

function plainInline(nodes: readonly Inline[]): string {
  return nodes.map(inlineText).join('');
}

function inlineText(node: Inline): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'image':
      return node.alt === '' || node.url === '' ? node.alt + node.url : `${node.alt} (${node.url})`;
    case 'link': {
      const label = plainInline(node.children);
      if (label === '') return node.url;
      return showsTarget(label, node.url) || mentionedUser(node.url) !== null ? label : `${label} (${node.url})`;
    }
    case 'strong':
    case 'emphasis':
    case 'delete':
      return plainInline(node.children);
    default:
      return node satisfies never;
  }
}

/** True when a link's label is its address already, as in bare links. */
export function showsTarget(label: string, url: string): boolean {
  if (url === label || url === `mailto:${label}`) return true;
  return label.includes('.') && (url === `http://${label}` || url === `https://${label}`);
}
