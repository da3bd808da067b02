import { mentionedUser } from '../../../src/format/index.ts';

/** Calls everybody; nothing that a model says may. */
const EVERYBODY = /^@?_?(?:all|here)$/i;

/** The id of the person whom a link mentions; null for other links, and for what would call everybody. */
export function mentionedId(url: string): string | null {
  const user = mentionedUser(url);
  return user !== null && /^[\w-]{1,64}$/.test(user) && !EVERYBODY.test(user) ? user : null;
}
