/** Of the beginning, by which bytes are told from text. */
const PROBED_BYTES = 64_000;
/** Text has hardly any control characters; bytes that are none of it have many. */
const MAX_CONTROL_SHARE = 0.005;

/**
 * Text in whatever encoding it comes: UTF-8, UTF-16 with or without a mark, GB18030 (most Chinese files that are no
 * UTF-8), else Western. Null for bytes that are no text.
 */
export function decodeText(content: Uint8Array): string | null {
  if (content.byteLength === 0) return '';
  const marked = markedEncoding(content);
  const candidates = marked === null ? guesses(content) : [marked];
  for (const encoding of candidates) {
    const text = decoded(content, encoding);
    if (text !== null && readsLikeText(text)) return text;
  }
  return null;
}

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

function guesses(content: Uint8Array): readonly string[] {
  // Latin letters in UTF-16 have a zero in every other byte; any other text has none at all.
  const probe = content.subarray(0, PROBED_BYTES);
  if (!probe.includes(0)) return ['utf-8', 'gb18030', 'windows-1252'];
  const zeros = [0, 0];
  for (const [index, byte] of probe.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const [most, least] = [Math.max(even, odd), Math.min(even, odd)];
  if (most < probe.length / 8 || least > most / 10) return [];
  return [odd > even ? 'utf-16le' : 'utf-16be'];
}

function decoded(content: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

function readsLikeText(text: string): boolean {
  const probe = text.slice(0, PROBED_BYTES);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const controls = probe.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g)?.length ?? 0;
  return controls <= probe.length * MAX_CONTROL_SHARE;
}
