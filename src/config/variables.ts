/** The environment, handed in. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Resolved {
  readonly text: string;
  /** Names of the variables that the text refers to. */
  readonly names: readonly string[];
  /** Those of them that are not set and have no default. */
  readonly missing: readonly string[];
  /** There is a `${` that no reference can be made of. */
  readonly malformed: boolean;
}

const reference = /\$\$|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)|\$\{/g;

/**
 * Replaces `$NAME`, `${NAME}` and `${NAME:-default}` by the environment's values and `$$` by a dollar sign. An empty
 * variable counts as not set, as with `:-` in a shell. Values are not looked through for further references.
 */
export function resolveVariables(source: string, env: Environment): Resolved {
  const names: string[] = [];
  const missing: string[] = [];
  let malformed = false;
  const text = source.replace(reference, (whole, braced?: string, fallback?: string, bare?: string) => {
    if (whole === '$$') return '$';
    const name = braced ?? bare;
    if (name === undefined) {
      malformed = true;
      return whole;
    }
    names.push(name);
    const value = given(env, name) ?? fallback;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  return { text, names, missing, malformed };
}

/** The variable's value, undefined when it is not set or empty. */
export function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
