import type { z } from 'zod';

/** Reads what was kept as JSON; undefined when there is nothing, or nothing (any more) of this shape. */
export function keptJson<Shape extends z.ZodType>(text: string | null, shape: Shape): z.output<Shape> | undefined {
  if (text === null) return undefined;
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // no JSON
  }
}
