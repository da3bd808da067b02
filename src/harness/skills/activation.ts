/** What somebody called for at the beginning of a message. */
export type Call =
  | { readonly kind: 'skill'; readonly name: string }
  /** `/skill` with a name that none has, or without one. */
  | { readonly kind: 'unknown'; readonly name: string };

/** Mentions of the bot that a platform left standing before the words. */
const MENTIONS = /^(?:@\S+[\s,:，：]+)*/u;
const SHAPE = /^[/／](?:(skill)(?:@\S*)?(?:\s+|$))?([^\s@,:，：]*)(?:@\S*)?(?=[\s,:，：]|$)/iu;

/**
 * Reads `/weekly-report …` or `/skill weekly-report …`. A word that is no skill's name is chat, unless `/skill` stands
 * before it. Apps that allow no `-` in commands send `_`.
 *
 * @param text a person's own words, as they were written
 */
export function calledFor(text: string, known: (name: string) => boolean): Call | null {
  const match = SHAPE.exec(text.trim().replace(MENTIONS, ''));
  if (match === null) return null;
  const name = (match[2] ?? '').toLowerCase().replaceAll('_', '-');
  if (name !== '' && known(name)) return { kind: 'skill', name };
  return match[1] === undefined ? null : { kind: 'unknown', name: name.slice(0, 64) };
}
