import { createHash } from 'node:crypto';
import { MAX_KEPT, MAX_KEPT_CHARS } from './limits.ts';
import type { Converted, DocumentConverter, DocumentSource } from './port.ts';

/**
 * Keeps the last conversions, so that paging through a document does not convert it again for each page. Known by what
 * is in it: whoever has the same bytes may have the same text.
 */
export function keeping(converter: DocumentConverter): DocumentConverter {
  const kept = new Map<string, Converted>();
  let chars = 0;

  function keep(key: string, converted: Converted): void {
    kept.set(key, converted);
    chars += converted.text.length;
    for (const [oldest, { text }] of kept) {
      if (kept.size <= MAX_KEPT && chars <= MAX_KEPT_CHARS) break;
      kept.delete(oldest);
      chars -= text.length;
    }
  }

  return {
    convert: async (source, signal) => {
      const key = keyOf(source);
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known); // now the newest
        return known;
      }
      const converted = await converter.convert(source, signal);
      if (!kept.has(key)) keep(key, converted);
      return converted;
    },
  };
}

const keyOf = ({ kind, content, url = '' }: DocumentSource): string =>
  createHash('sha256').update(`${kind}\n${url}\n`).update(content).digest('base64');
