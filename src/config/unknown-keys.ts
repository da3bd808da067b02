import type { z } from 'zod';
import { didYouMean } from '../base/near.ts';
import { isMapping, type Path } from './path.ts';
import { childShape, fieldsOf } from './shape.ts';

export interface UnknownKey {
  readonly path: Path;
  readonly message: string;
}

/**
 * Every key of `value` that `schema` does not know, at any depth. Done here instead of by strict schemas, so that an
 * adapter cannot forget to be strict and every message has its near match. `nearby` are keys that are no part of the
 * schema but may have been meant.
 */
export function unknownKeys(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path = [],
  nearby: readonly string[] = [],
): UnknownKey[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownKeysBelow(schema, index, item, [...path, index]));
  if (!isMapping(value)) return [];
  const fields = fieldsOf(schema);
  return Object.entries(value).flatMap(([key, child]) => {
    const here = [...path, key];
    if (fields === null || fields.has(key)) return unknownKeysBelow(schema, key, child, here);
    return [{ path: here, message: `unknown key${didYouMean(key, [...fields.keys(), ...nearby])}` }];
  });
}

function unknownKeysBelow(schema: z.core.$ZodType, part: string | number, child: unknown, path: Path): UnknownKey[] {
  const inner = childShape(schema, part);
  return inner === null ? [] : unknownKeys(inner, child, path);
}
