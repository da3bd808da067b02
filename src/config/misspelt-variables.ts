import { nearest } from '../base/near.ts';
import { type Environment, given } from './variables.ts';

export interface MisspeltVariable {
  readonly variable: string;
  readonly message: string;
}

const prefix = 'ANTLER_';

/**
 * `ANTLER_…` variables that mean nothing but are nearly one that does. Others are left alone: Kubernetes, for one,
 * names variables after a service called "antler". `used` are those that the file refers to.
 */
export function misspeltVariables(
  env: Environment,
  known: readonly string[],
  used: ReadonlySet<string>,
): MisspeltVariable[] {
  const endings = known.map((name) => name.slice(prefix.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !used.has(name))
    .filter((name) => given(env, name) !== undefined)
    .flatMap((variable) => {
      const near = nearest(variable.slice(prefix.length), endings);
      return near === undefined ? [] : [{ variable, message: `means nothing; did you mean "${prefix}${near}"?` }];
    });
}
