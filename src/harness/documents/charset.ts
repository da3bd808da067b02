import { decodeText } from '../tools/files/decode.ts';

/** Where HTML has to name its encoding (WHATWG HTML, 4.2.5.4), and XML does. */
const DECLARED_WITHIN = 2_048;

/**
 * HTML in whatever encoding it says that it has: by a mark, by the server's header, by itself; by what it looks like
 * when all are silent or wrong. Null when it is no text.
 */
export function decodeHtml(content: Uint8Array, charset?: string): string | null {
  const hasMark = (content[0] === 0xef && content[1] === 0xbb) || (content[0] ?? 0) + (content[1] ?? 0) === 0x1fd;
  const named = hasMark ? undefined : (known(charset) ?? known(declared(content)));
  if (named === undefined) return decodeText(content);
  // Servers say Latin-1 of everything, and any bytes are that; what is UTF-8 by chance is rare.
  if (named === 'windows-1252') return utf8(content) ?? new TextDecoder(named).decode(content);
  const text = new TextDecoder(named).decode(content);
  // A wrong name shows in characters that could not be read.
  const lost = text.slice(0, 20_000).split('\ufffd').length - 1;
  return lost > 20 ? (decodeText(content) ?? text) : text;
}

function declared(content: Uint8Array): string | undefined {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, DECLARED_WITHIN)).toString(
    'latin1',
  );
  return (
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]{2,40})["']/i.exec(head)?.[1]
  );
}

/** A label that can be decoded; what calls itself UTF-16 without a mark is UTF-8 in the wild (WHATWG HTML, 13.2.3.2). */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return undefined;
  }
}

function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
