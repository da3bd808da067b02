import type { Skill, SkillShelf } from '../port.ts';

export const someSkill = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: `Helps with ${name}.`,
  allowedTools: null,
  secrets: [],
  origin: 'custom',
  body: `Do the ${name}.`,
  folder: `/nowhere/${name}`,
  files: [{ path: 'SKILL.md', bytes: 10, executable: false }],
  digest: name,
  warnings: [],
  ...more,
});

/** A shelf that holds these. */
export const shelfOf = (...skills: readonly Skill[]): SkillShelf => ({
  contents: async () => ({ skills: new Map(skills.map((skill) => [skill.name, skill])), broken: [] }),
});
