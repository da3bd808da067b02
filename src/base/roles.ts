/** What somebody may do, from most to least. */
export const ROLES = ['owner', 'admin', 'operator', 'member', 'guest'] as const;
export type Role = (typeof ROLES)[number];

/** Is `role` as good as `needed`, or better? */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);

/** The better one of two. */
export const betterRole = (one: Role, other: Role): Role => (isAtLeast(one, other) ? one : other);

export const isRole = (word: string): word is Role => ROLES.some((role) => role === word);
