import { property } from '../../base/property.ts';

/** A field of a body that may be anything. */
export function field(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, key) => property(found, String(key)), value);
}

/** A text field of such a body; empty when it is none. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = field(value, ...path);
  return typeof found === 'string' ? found : '';
};
