import type { Content, Source } from './content.ts';
import { isRecord } from './json.ts';

/** What clients that cannot show a card get instead of it; it says nothing about the card. */
const UPGRADE = /请升级至最新版本客户端|please upgrade to the latest version/i;
const TEXT_MAX = 4_000;
const DEPTH_MAX = 12;

/** Fields that hold words, in the order in which people read them. */
const WORDS = [
  'title',
  'header',
  'text',
  'content',
  'name',
  'body',
  'elements',
  'fields',
  'columns',
  'actions',
  'i18n_elements',
];

/** The words of a card of any version: what is sent to readers differs from what was made, so all of it is walked. */
export function readCard({ content }: Source): Content {
  const found: string[] = [];
  collect(content, found, 0);
  const text = found.join('\n').slice(0, TEXT_MAX).trim();
  return { text: text === '' || UPGRADE.test(text) ? '[card]' : text, files: [] };
}

function collect(value: unknown, found: string[], depth: number): void {
  if (depth > DEPTH_MAX || found.length > TEXT_MAX) return;
  if (typeof value === 'string') {
    const words = value.trim();
    if (words !== '') found.push(words);
  } else if (Array.isArray(value)) {
    const isRow = value.length > 0 && value.every((part) => isRecord(part) && typeof part.text === 'string');
    if (isRow) collect(value.map((part) => part.text).join(''), found, depth + 1);
    else for (const part of value) collect(part, found, depth + 1);
  } else if (isRecord(value)) {
    for (const key of WORDS) if (!(key === 'name' && value.tag !== undefined)) collect(value[key], found, depth + 1);
  }
}
