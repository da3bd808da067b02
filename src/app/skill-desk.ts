import { systemClock } from '../base/clock.ts';
import { runSkills, type SkillDesk, type SkillsOptions } from '../cli/skills.ts';
import type { Config } from '../config/schema/config.ts';
import { checkSkill, installSkill, removeSkill } from '../harness/skills/install.ts';
import { shelfOf } from './skills.ts';
import type { Surroundings } from './surroundings.ts';

/** The skills of this machine, whether Antler runs or not: what lies in their folder counts at once. */
export function skillDesk(config: Pick<Config, 'skills'>, log: Surroundings['log']): SkillDesk {
  const custom = config.skills.custom_dir;
  const shelf = shelfOf(config, systemClock, log);
  return {
    contents: () => shelf.contents(),
    check: (source) => checkSkill(source, custom),
    install: (source, force) => installSkill(source, { custom, force }),
    remove: (name) => removeSkill(name, custom),
  };
}

/** `antler skills …`. */
export const skills = (
  config: Config,
  asked: Pick<SkillsOptions, 'command' | 'operand' | 'force' | 'json'>,
  { log, print }: Surroundings,
): Promise<0 | 1> => runSkills({ ...asked, desk: skillDesk(config, log), print });
