import type { WireEntity } from '../wire.ts';

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly WireEntity[];
}

const byStart = (a: WireEntity, b: WireEntity): number => a.offset - b.offset || b.length - a.length;

/**
 * Brings text into the form in which Telegram keeps it: outer white space is gone, and so are entities over nothing or
 * over white space only; the rest is ordered by position, outer before inner.
 */
export function normalise({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const kept = entities.flatMap((entity) => {
    const from = Math.max(entity.offset - start, 0);
    const to = Math.min(entity.offset + entity.length - start, trimmed.length);
    if (to <= from || trimmed.slice(from, to).trim() === '') return [];
    return [{ ...entity, offset: from, length: to - from }];
  });
  return { text: trimmed, entities: kept.sort(byStart) };
}

/** The position of UTF-16 index `index` in UTF-8 bytes, which is how the Bot API reports places in error texts. */
export const byteOffset = (source: string, index: number): number => Buffer.byteLength(source.slice(0, index));
