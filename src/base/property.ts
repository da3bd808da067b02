/** A property of whatever came from outside; undefined where there is none, or nothing that could have one. */
export function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
