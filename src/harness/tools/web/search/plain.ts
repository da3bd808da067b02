import { cutEnd } from '../../../transcript/text.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A snippet as plain text on one line: providers mark the words that were looked for, and escape the rest. */
export function plainSnippet(html: string, maxChars: number): string {
  const text = html
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
        const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point) : whole;
      },
    )
    .replace(/\s+/g, ' ')
    .trim();
  return cutEnd(text, maxChars);
}
