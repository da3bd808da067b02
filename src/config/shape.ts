import type { z } from 'zod';

/** What a schema is once optional, default and other wrappers are off. */
export interface Shape {
  readonly core: z.core.$ZodTypes;
  /** What `.meta()` says on any layer. */
  readonly secret: boolean;
  /** The environment variable that stands for it beside the usual one. */
  readonly variable: string | undefined;
  /** Must be given: it is neither optional nor has a default. */
  readonly required: boolean;
}

/** Takes the wrappers off a schema. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  let core = schema as z.core.$ZodTypes;
  let secret = false;
  let variable: string | undefined;
  let required = true;
  for (;;) {
    const meta = metaOf(core);
    secret ||= meta.secret === true;
    variable ??= typeof meta.variable === 'string' ? meta.variable : undefined;
    const { def } = core._zod;
    switch (def.type) {
      case 'optional':
      case 'default':
      case 'prefault':
      case 'catch':
        required = false;
        core = def.innerType as z.core.$ZodTypes;
        break;
      case 'nullable':
      case 'readonly':
      case 'nonoptional':
        core = def.innerType as z.core.$ZodTypes;
        break;
      case 'pipe':
        core = (isTransform(def.in) ? def.out : def.in) as z.core.$ZodTypes;
        break;
      default:
        return { core, secret, variable, required };
    }
  }
}

const isTransform = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'transform';

function metaOf(schema: z.core.$ZodType): Readonly<Record<string, unknown>> {
  const meta = (schema as { meta?: () => unknown }).meta?.();
  return typeof meta === 'object' && meta !== null ? { ...meta } : {};
}

/** The keys that a mapping's schema knows; those of all branches of a union. Null when it is no such schema. */
export function fieldsOf(schema: z.core.$ZodType): ReadonlyMap<string, z.core.$ZodType> | null {
  const { core } = shapeOf(schema);
  const { def } = core._zod;
  if (def.type === 'object') return new Map(Object.entries(def.shape));
  if (def.type === 'union') return merged(def.options);
  if (def.type === 'intersection') return merged([def.left, def.right]);
  return null;
}

function merged(schemas: readonly z.core.$ZodType[]): ReadonlyMap<string, z.core.$ZodType> | null {
  const all = schemas.map(fieldsOf);
  const found = all.flatMap((fields) => (fields === null ? [] : [...fields]));
  return all.every((fields) => fields === null) ? null : new Map(found);
}

/** The schema of what stands at a key or index of a value of `schema`; null when the schema does not say. */
export function childShape(schema: z.core.$ZodType, part: string | number): z.core.$ZodType | null {
  const { def } = shapeOf(schema).core._zod;
  if (def.type === 'array') return def.element;
  if (def.type === 'record') return def.valueType;
  return fieldsOf(schema)?.get(String(part)) ?? null;
}
