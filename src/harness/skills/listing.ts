import { findBest } from '../search.ts';
import { asData, framed } from '../transcript/frame.ts';
import { cutEnd } from '../transcript/text.ts';
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
    const line = `- ${name}: ${asData(cutEnd(description, MAX_LISTED_DESCRIPTION_CHARS))}`;
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

/** The skills that fit some words best, best first. */
export const findSkills = (skills: readonly Skill[], query: string, most: number): readonly Skill[] =>
  findBest(skills, query, most);
