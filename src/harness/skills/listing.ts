import { asData, framed } from '../transcript/frame.ts';
import { MAX_LISTED, MAX_LISTED_CHARS, MAX_LISTED_DESCRIPTION_CHARS } from './limits.ts';
import { LOAD_SKILL, SKILL_SEARCH } from './names.ts';
import type { Skill } from './port.ts';

/** What a model knows of its skills before it loads one. */
export interface Listing {
  readonly text: string;
  /** Not all of them are in it. */
  readonly cut: boolean;
}

/** Names and descriptions, bounded; the same for every request of an assistant, so that endpoints can cache it. */
export function listSkills(skills: readonly Skill[]): Listing {
  const lines: string[] = [];
  let chars = 0;
  for (const { name, description } of skills.slice(0, MAX_LISTED)) {
    const line = `- ${name}: ${asData(shortened(description))}`;
    chars += line.length;
    if (chars > MAX_LISTED_CHARS) break;
    lines.push(line);
  }
  const cut = lines.length < skills.length;
  const more = cut ? ` There are ${skills.length - lines.length} more: ${SKILL_SEARCH} finds them.` : '';
  const text = `Skills
- A skill is a procedure that the people who run you have written down. When a task fits one, call ${LOAD_SKILL} with its name before you begin, and do as it says. People can call for one by /name.${more}
${framed('skill_list', lines.join('\n'))}`;
  return { text, cut };
}

const shortened = (description: string): string =>
  description.length > MAX_LISTED_DESCRIPTION_CHARS
    ? `${description.slice(0, MAX_LISTED_DESCRIPTION_CHARS).toWellFormed()}…`
    : description;

/** The skills that fit some words best, best first. */
export function findSkills(skills: readonly Skill[], query: string, limit: number): readonly Skill[] {
  const wanted = wordsOf(query);
  const scored = skills.map((skill) => {
    const name = new Set(wordsOf(skill.name));
    const words = new Set(wordsOf(skill.description));
    const score = wanted.reduce((sum, word) => sum + (name.has(word) ? 3 : 0) + (words.has(word) ? 1 : 0), 0);
    return { skill, score };
  });
  const found = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return found.slice(0, limit).map(({ skill }) => skill);
}

/** Words; of Han, where no spaces stand between them, pairs of characters. */
function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]+|\p{N}+/gu)].flatMap(([run]) => {
    if (!/\p{Script=Han}/u.test(run) || run.length < 3) return [run];
    return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
  });
}
