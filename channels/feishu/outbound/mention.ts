import { mentionedUser, writeMentions } from '../../../src/format/index.ts';

/** Calls everybody; nothing that a model says may. */
const EVERYBODY = /^@?_?(?:all|here)$/i;

/** The id of the person whom a link mentions; null for other links, and for what would call everybody. */
export function mentionedId(url: string): string | null {
  const user = mentionedUser(url);
  return user !== null && /^[\w-]{1,64}$/.test(user) && !EVERYBODY.test(user) ? user : null;
}

/** The ids of all people whom a text mentions. */
export function mentionedIn(markdown: string): ReadonlySet<string> {
  const called = new Set<string>();
  writeMentions(markdown, (user) => {
    if (user !== null) called.add(user);
    return undefined;
  });
  return called;
}
