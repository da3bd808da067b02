import type { Inline } from './nodes.ts';

/** Stands for an image in flat text: it takes one place and cannot be cut. */
const OBJECT = '\ufffc';

/** What is seen of inline content, one place for every UTF-16 code unit that can be cut between. */
export function flatText(nodes: readonly Inline[]): string {
  return nodes.map(flatNode).join('');
}

function flatNode(node: Inline): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'image':
      return OBJECT;
    case 'strong':
    case 'emphasis':
    case 'delete':
    case 'link':
      return flatText(node.children);
    default:
      return node satisfies never;
  }
}

/** The content between two places of its {@link flatText}; styles and links that the cut runs through go on in both. */
export function sliceInline(nodes: readonly Inline[], from: number, to: number): Inline[] {
  const slice: Inline[] = [];
  let start = 0;
  for (const node of nodes) {
    if (start >= to) break;
    const length = flatNode(node).length;
    const part = sliceNode(node, Math.max(0, from - start), Math.min(length, to - start));
    if (part !== undefined) slice.push(part);
    start += length;
  }
  return slice;
}

function sliceNode(node: Inline, from: number, to: number): Inline | undefined {
  if (from >= to) return undefined;
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return { type: node.type, value: node.value.slice(from, to) };
    case 'break':
    case 'image':
      return node;
    case 'strong':
    case 'emphasis':
    case 'delete':
    case 'link':
      return { ...node, children: sliceInline(node.children, from, to) };
    default:
      return node satisfies never;
  }
}

/** The content in front of and behind a place, without the white space that the cut replaces. */
export function halve(nodes: readonly Inline[], at: number): readonly [Inline[], Inline[]] {
  const flat = flatText(nodes);
  const front = flat.slice(0, at).trimEnd().length;
  const back = flat.length - flat.slice(at).trimStart().length;
  return [sliceInline(nodes, 0, front), sliceInline(nodes, back, flat.length)];
}
