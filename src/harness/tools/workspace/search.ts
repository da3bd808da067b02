import { cutEnd } from '../../transcript/text.ts';
/** A file that is searched. */
export interface SearchedFile {
  readonly path: string;
  readonly text: string;
}

export interface Hit {
  readonly path: string;
  /** The first line is 1. */
  readonly line: number;
  readonly text: string;
}

const MAX_LINE_CHARS = 240;

/** The lines that fit, at most `limit`. */
export function searchLines(files: readonly SearchedFile[], fits: (line: string) => boolean, limit: number): Hit[] {
  const hits: Hit[] = [];
  for (const { path, text } of files)
    for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
      if (!fits(line)) continue;
      hits.push({ path, line: index + 1, text: cutEnd(line, MAX_LINE_CHARS) });
      if (hits.length >= limit) return hits;
    }
  return hits;
}
