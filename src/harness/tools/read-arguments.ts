import type { z } from 'zod';

/**
 * Takes a call's arguments for what a schema says, also where a model has written them in one of the ways that many do:
 * null for what it leaves out, a list or an object as JSON in a text, a number or a truth value as a text. Only what the
 * schema refuses is read otherwise.
 */
export function readArguments<Schema extends z.ZodType>(
  schema: Schema,
  args: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const read = schema.safeParse(args);
  if (read.success) return read;
  const meant: unknown = structuredClone(args);
  const mended = read.error.issues.map((issue) => issue.code === 'invalid_type' && mend(meant, issue));
  if (!mended.includes(true)) return read;
  const again = schema.safeParse(meant);
  return again.success ? again : read; // the model is told of what it wrote
}

function mend(args: unknown, { path, expected }: z.core.$ZodIssueInvalidType): boolean {
  const key = path.at(-1);
  let parent = args;
  for (const step of path.slice(0, -1)) parent = isHolder(parent) ? parent[String(step)] : undefined;
  if (key === undefined || !isHolder(parent)) return false;
  const value = parent[String(key)];
  if (value === null && !Array.isArray(parent)) return delete parent[String(key)];
  const meant = typeof value === 'string' ? valueIn(value, expected) : undefined;
  if (meant === undefined) return false;
  parent[String(key)] = meant;
  return true;
}

const isHolder = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function valueIn(text: string, expected: string): unknown {
  const kind = { int: 'number', array: 'object' }[expected] ?? expected;
  if (!['number', 'boolean', 'object'].includes(kind)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isMeant = typeof value === kind && value !== null && Array.isArray(value) === (expected === 'array');
    return isMeant ? value : undefined;
  } catch {
    return undefined;
  }
}
