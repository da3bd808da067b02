import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { didYouMean } from '../../base/near.ts';
import { SKILLS as SKILLS_PATH } from '../sandbox/paths.ts';
import { defineTool, type Tool, type ToolSource } from '../tools/port.ts';
import { cutMiddle } from '../transcript/text.ts';
import { MAX_BODY_CHARS } from './limits.ts';
import { findSkills, listSkills } from './listing.ts';
import { LOAD_SKILL, SKILL_SEARCH } from './names.ts';
import { pickSkills, type Skill, type SkillShelf } from './port.ts';
import { readSkillFile } from './read-file.ts';
import { MANIFEST_FILE } from './read-folder.ts';
import { loaded, readSkills, SKILLS } from './state.ts';

const MAX_FOUND = 5;
const MAX_FILES_SHOWN = 40;

/** The tools by which an assistant reads its skills, for one that has some. */
export const skillSource = (shelf: SkillShelf): ToolSource => ({
  name: 'skills',
  tools: async (assistant) => {
    const skills = pickSkills(await shelf.contents(), assistant.skills);
    if (skills.length === 0) return [];
    return [loadSkill(skills), ...(listSkills(skills).cut ? [skillSearch(skills)] : [])];
  },
});

const loadSkill = (skills: readonly Skill[]): Tool =>
  defineTool({
    name: LOAD_SKILL,
    description:
      'Loads a skill: what to do for tasks of its kind. With `file`, one of the files that it names. From then on, until this answer is given, only the tools that the skill allows can be used, if it says which.',
    input: z.object({
      name: z.string().min(1).max(200).describe("The skill's name."),
      file: z.string().min(1).max(1_024).optional().describe('A file of the skill; left out: the skill itself.'),
    }),
    // What the admin has put there is meant to be followed.
    trust: 'local',
    // A sub-agent is told what to do by its parent.
    forPeople: true,
    run: async ({ name, file }, context) => {
      const skill = skills.find((one) => one.name === name.trim().replace(/^\//, ''));
      if (skill === undefined) {
        const names = skills.map((one) => one.name);
        throw new AntlerError(
          'bad_input',
          `there is no skill ${JSON.stringify(name.slice(0, 64))}${didYouMean(name, names) || `; there are ${cutMiddle(names.join(', '), 300)}`}`,
        );
      }
      if (file !== undefined && file !== MANIFEST_FILE) return readSkillFile(skill, file);
      const before = readSkills(context.state(SKILLS));
      const after = loaded(before, context.turnId, skill.name);
      if (after !== before) context.keep(SKILLS, after);
      return written(skill);
    },
  });

const skillSearch = (skills: readonly Skill[]): Tool =>
  defineTool({
    name: SKILL_SEARCH,
    description: `Finds skills that are not in the list, by words that say what you want to do. ${LOAD_SKILL} loads one.`,
    input: z.object({ query: z.string().trim().min(1).max(200) }),
    trust: 'local',
    forPeople: true,
    run: ({ query }) => {
      const found = findSkills(skills, query, MAX_FOUND);
      if (found.length === 0) return 'No skill fits these words. Try others, or do without one.';
      return found.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
    },
  });

/** By which it is known where in a log a skill was loaded. */
export const headline = (name: string): string => `Skill ${name}. Do as it says:`;

/** A skill as a model reads it. */
export function written({ name, body, files }: Skill): string {
  const others = files.map(({ path }) => path).filter((path) => path !== MANIFEST_FILE);
  const list = others.slice(0, MAX_FILES_SHOWN).join(', ') + (others.length > MAX_FILES_SHOWN ? ', …' : '');
  const more =
    others.length === 0
      ? ''
      : `\n\nIts files: ${list}. Read one by ${LOAD_SKILL} with \`file\`; for commands they lie in ${SKILLS_PATH}/${name}/.`;
  return `${headline(name)}\n\n${body.slice(0, MAX_BODY_CHARS)}${more}`;
}
