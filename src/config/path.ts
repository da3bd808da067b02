/** Where something stands in the configuration, e.g. `['models', 0, 'base_url']`. */
export type Path = readonly (string | number)[];

/** As people read it: `models[0].base_url`. */
export function pathText(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\w-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}

/** As a key of a map. */
export const pathKey = (path: Path): string => JSON.stringify(path);

/** The value at a path, undefined where there is none. */
export function valueAt(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, part) => childOf(node, part), tree);
}

function childOf(node: unknown, part: string | number): unknown {
  if (Array.isArray(node)) return typeof part === 'number' ? node[part] : undefined;
  if (!isMapping(node) || !Object.hasOwn(node, part)) return undefined;
  return node[String(part)];
}

/** A copy of the tree with one value replaced; mappings on the way are made where they are missing. */
export function withValue(tree: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (Array.isArray(tree)) return tree.map((item, index) => (index === part ? withValue(item, rest, value) : item));
  const mapping = isMapping(tree) ? tree : {};
  return { ...mapping, [part]: withValue(childOf(mapping, part), rest, value) };
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
