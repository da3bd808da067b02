import type { z } from 'zod';
import { describeIssue, showValue, unworded } from './describe.ts';
import { type Path, pathKey, valueAt, withValue } from './path.ts';
import { childShape, shapeOf } from './shape.ts';
import { unknownKeys } from './unknown-keys.ts';

/** How values were written, as far as it matters for what they can be taken for. */
export interface Written {
  /** The variables that a value holds; an empty list where the value as a whole is one. */
  readonly fromVariables: ReadonlyMap<string, readonly string[]>;
  readonly numbers: ReadonlyMap<string, string>;
}

export interface Finding {
  readonly path: Path;
  readonly part: 'key' | 'value';
  readonly message: string;
}

export interface Validated<T> {
  /** Undefined when a value is wrong; unknown keys do not make it so. */
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Checks what stands at `path` against a schema. Unknown keys and wrong values are all listed, never with a secret.
 * A value of a variable is text, so it is read as what is expected; a number where text is expected is that text.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  given: unknown,
  path: Path,
  written: Written,
  nearby: readonly string[] = [],
): Validated<z.output<S>> {
  const unknown = unknownKeys(schema, given, path, nearby).map((key): Finding => ({ ...key, part: 'key' }));
  let tree = given;
  let result = parse(schema, tree);
  if (!result.success) {
    for (const issue of result.error.issues) tree = reread(tree, issue, path, written);
    result = parse(schema, tree);
  }
  if (result.success) return { value: result.data, findings: unknown };
  const wrong = result.error.issues.filter((issue) => issue.code !== 'unrecognized_keys');
  return {
    value: undefined,
    findings: [...unknown, ...wrong.map((issue) => finding(schema, issue, tree, path, written))],
  };
}

const parse = <S extends z.ZodType>(schema: S, value: unknown) => schema.safeParse(value, { error: () => unworded });

function finding(schema: z.ZodType, issue: z.core.$ZodIssue, tree: unknown, base: Path, written: Written): Finding {
  const inner = pathOf(issue);
  const path = [...base, ...inner];
  const names = written.fromVariables.get(pathKey(path));
  const shown = (value: unknown): string => {
    if (names !== undefined && names.length > 0) return `the value of ${names.map((name) => `$${name}`).join(' and ')}`;
    return isSecret(schema, inner) ? 'another kind of value' : showValue(value);
  };
  return {
    path,
    part: issue.code === 'invalid_key' ? 'key' : 'value',
    message: describeIssue(issue, valueAt(tree, inner), shown),
  };
}

const pathOf = (issue: z.core.$ZodIssue): (string | number)[] =>
  issue.path.map((part) => (typeof part === 'number' ? part : String(part)));

function isSecret(schema: z.core.$ZodType, path: Path): boolean {
  let current: z.core.$ZodType | null = schema;
  for (const part of path) {
    if (shapeOf(current).secret) return true;
    current = childShape(current, part);
    if (current === null) return false;
  }
  return shapeOf(current).secret;
}

/** The tree with the value of one issue taken for what is expected, where that is how it was meant. */
function reread(tree: unknown, issue: z.core.$ZodIssue, base: Path, written: Written): unknown {
  if (issue.code !== 'invalid_type') return tree;
  const inner = pathOf(issue);
  const key = pathKey([...base, ...inner]);
  const value = valueAt(tree, inner);
  const number = written.numbers.get(key);
  if (issue.expected === 'string' && typeof value === 'number' && number !== undefined)
    return withValue(tree, inner, number);
  if (typeof value !== 'string' || !written.fromVariables.has(key)) return tree;
  const meant = readAs(issue.expected, value);
  return meant === undefined ? tree : withValue(tree, inner, meant);
}

function readAs(expected: string, text: string): unknown {
  switch (expected) {
    case 'number':
    case 'int':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'array':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    default:
      return undefined;
  }
}
