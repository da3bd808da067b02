import type { Addressed } from '../../../../src/channel/message.ts';
import type { ReadFacts } from './facts.ts';

/** What WeChat's apps put behind a name; the desktop ones put a blank. */
const END = '\u2005';
const EVERYBODY = /@(?:所有人|All People|all)(?:[\u2005\s]|$)/i;
const EVERYBODY_IDS = new Set(['@all', 'all', 'announcement@all', 'notify@all']);

/** What the bot is called here, the longest name first: one may begin with the other. */
export function ownNames({ account, room }: ReadFacts): readonly string[] {
  const names = [room?.ownAlias, account.name].filter((name) => name !== undefined && name !== '');
  return [...new Set(names as string[])].sort((a, b) => b.length - a.length);
}

/** How a text in a room addresses the bot, and the text without the bot's name at its beginning and end. */
export function readMentions(text: string, facts: ReadFacts): { readonly text: string; readonly addressed: Addressed } {
  const { account, message, room } = facts;
  const names = ownNames(facts);
  const ids = message.mentionIdList;
  const everybody = ids.some((id) => EVERYBODY_IDS.has(id)) || EVERYBODY.test(text);
  const people = ids.filter((id) => !EVERYBODY_IDS.has(id));
  // Where ids are told they alone count: two members may have the same name.
  const isMeant = people.length > 0 ? people.includes(account.id) : isNamed(text, names) && (room?.namesakes ?? 1) <= 1;
  const clean = (rest: string): string => rest.replaceAll(END, ' ').trim();
  if (!isMeant) return { text: clean(text), addressed: everybody ? 'all' : 'none' };
  const isAlone = people.length === 1;
  return { text: clean(withoutName(text, names, isAlone)), addressed: 'mention' };
}

function isNamed(text: string, names: readonly string[]): boolean {
  return names.some((name) =>
    placesOf(text, `@${name}`).some((at) => begins(text, at) && endsAt(text, at + name.length + 1)),
  );
}

/** Cuts the bot's name at the beginning and at the end; inside a sentence it says something. */
function withoutName(text: string, names: readonly string[], isAlone: boolean): string {
  let rest = text.trim();
  for (const name of names) {
    const mark = `@${name}`;
    while (rest.startsWith(mark) && endsAt(rest, mark.length))
      rest = rest.slice(mark.length).replace(/^[\u2005\s,，:：]+/, '');
    while (rest.endsWith(mark) || rest.endsWith(mark + END))
      rest = rest
        .replace(/\u2005$/, '')
        .slice(0, -mark.length)
        .trimEnd();
  }
  // Called by a name that it does not have any more, or that the puppet has not heard of yet.
  return rest === text.trim() && isAlone ? rest.replace(/^@[^\u2005\n]{1,64}\u2005\s*/, '') : rest;
}

/** Is a name over here? Another one may begin with it. */
const endsAt = (text: string, at: number): boolean => /^(?:$|[\u2005\s\p{P}])/u.test(text.slice(at, at + 2));

/** Behind a letter it is an address of mail. */
const begins = (text: string, at: number): boolean => !/[\w.-]/.test(text.charAt(at - 1));

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
