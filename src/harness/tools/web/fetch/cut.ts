export interface Part {
  readonly text: string;
  readonly from: number;
  /** Where the next part begins, or the text's end. */
  readonly to: number;
}

/** A line's end is taken for the cut when it is not far. */
const NEAR = 0.2;

/** Characters of a text, from `offset` on, at most `max`; ends with a line where it can, and never inside a character. */
export function partOf(text: string, offset: number, max: number): Part {
  const from = isHalf(text, offset) ? offset + 1 : offset;
  const most = Math.min(text.length, from + max);
  if (most === text.length) return { text: text.slice(from), from, to: most };
  const line = text.lastIndexOf('\n', most);
  const end = line > most - max * NEAR && line > from ? line + 1 : isHalf(text, most) ? most - 1 : most;
  return { text: text.slice(from, end), from, to: end };
}

const isHalf = (text: string, at: number): boolean =>
  at > 0 && /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '');
