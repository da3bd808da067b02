export type Decoded =
  | { readonly ok: true; readonly text: string }
  /** `line` and `column` count from 1, `offset` from 0. */
  | { readonly ok: false; readonly line: number; readonly column: number; readonly offset: number };

const replacement = '\uFFFD';

/** Reads bytes as UTF-8, or tells where they stop being that. */
export function decodeUtf8(bytes: Buffer): Decoded {
  const text = bytes.toString('utf8');
  let offset = 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf(replacement, from);
    if (at < 0) return { ok: true, text };
    offset += Buffer.byteLength(text.slice(from, at));
    // The character itself may stand in the file.
    if (bytes.subarray(offset, offset + 3).toString('hex') !== 'efbfbd') {
      const before = text.slice(0, at).split('\n');
      return { ok: false, line: before.length, column: (before.at(-1) ?? '').length + 1, offset };
    }
    offset += 3;
    from = at + 1;
  }
}
