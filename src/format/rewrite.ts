import { type Block, doc } from './nodes.ts';
import { readingsOf } from './parse.ts';
import { serialize } from './serialize.ts';

/** Makes other blocks of blocks. */
export interface Rewriter {
  /** How much was rewritten so far. */
  readonly changes: number;
  block(block: Block): Block;
}

/** Rewrites those segments that hold one of `marks`; what nothing is rewritten in stays as it was written. */
export function rewrite(markdown: string, marks: readonly string[], rewriter: Rewriter): string {
  return readingsOf(markdown)
    .map(({ source, blocks, read }) => {
      if (read === 'notAtAll' || !marks.some((mark) => source.includes(mark))) return source;
      const before = rewriter.changes;
      const rewritten = blocks.map((block) => rewriter.block(block));
      if (rewriter.changes === before) return source;
      return `${/^\n*/.exec(source)?.[0] ?? ''}${serialize(doc(rewritten)).trimEnd()}${/\s*$/.exec(source)?.[0] ?? ''}`;
    })
    .join('');
}
