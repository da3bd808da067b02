import type { Block, Inline } from './nodes.ts';

/** The same block with other inline content; code and rules have none. */
export function mapInlines(block: Block, map: (inlines: readonly Inline[]) => Inline[]): Block {
  const deeper = (child: Block): Block => mapInlines(child, map);
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return { ...block, children: map(block.children) };
    case 'blockquote':
      return { ...block, children: block.children.map(deeper) };
    case 'list':
      return {
        ...block,
        children: block.children.map((item) => ({ ...item, children: item.children.map(deeper) })),
      };
    case 'table':
      return {
        ...block,
        children: block.children.map((row) => ({
          ...row,
          children: row.children.map((cell) => ({ ...cell, children: map(cell.children) })),
        })),
      };
    case 'code':
    case 'thematicBreak':
      return block;
    default:
      return block satisfies never;
  }
}
