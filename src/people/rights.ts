import type { Role } from '../base/roles.ts';

/** What a role may use. Lists hold names, or `all`; an empty one is nothing at all. */
export interface Rights {
  readonly assistants: readonly string[];
  readonly tools: readonly string[];
  readonly models: readonly string[];
  readonly skills: readonly string[];
  readonly commands: readonly string[];
}

export type RightsByRole = Readonly<Record<Role, Rights>>;

const ALL = 'all';

/** Does a list of names let this one through? */
export const allows = (names: readonly string[], name: string): boolean => names.includes(ALL) || names.includes(name);

/** What is in both lists. */
export function both(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.includes(ALL)) return other;
  return other.includes(ALL) ? one : one.filter((name) => other.includes(name));
}

/** What every one of these roles may use: several people who speak in one turn have no more than the least of them. */
export const shared = (rights: RightsByRole, roles: readonly Role[], what: keyof Rights): readonly string[] =>
  roles.map((role) => rights[role][what]).reduce(both, [ALL]);
