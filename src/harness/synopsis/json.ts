import { cutEnd } from '../transcript/text.ts';

const MAX_PARSED_CHARS = 2_000_000;
const MAX_KEYS = 24;
const MAX_KEY_CHARS = 60;

/** The shape of a JSON text; null for anything else. Tells keys and kinds, never values. */
export function jsonFacts(text: string): string | null {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_PARSED_CHARS) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return `JSON, ${shape(value, 0)}.`;
}

function shape(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    const first: unknown = value[0];
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}, the first ${shape(first, depth + 1)}`;
  }
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const keys = Object.keys(value);
  const shown = Object.entries(value)
    .slice(0, MAX_KEYS)
    .map(([key, item]) => (depth < 2 && isNested(item) ? `${short(key)} (${shape(item, depth + 2)})` : short(key)));
  const more = keys.length > MAX_KEYS ? `, … ${keys.length - MAX_KEYS} more` : '';
  return keys.length === 0 ? 'an empty object' : `an object with ${shown.join(', ')}${more}`;
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
const short = (key: string): string => cutEnd(key, MAX_KEY_CHARS);
