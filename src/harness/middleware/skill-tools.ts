import { asAntlerError } from '../../base/errors.ts';
import { type ToolLimit, toolLimit } from '../skills/policy.ts';
import { pickSkills, type Skill, type SkillShelf } from '../skills/port.ts';
import { activeIn, readSkills, SKILLS } from '../skills/state.ts';
import { TASK } from '../subagents/task.ts';
import type { MiddlewareKind, Run } from './port.ts';

const refusal = (tool: string, skills: string): string =>
  `Error: not run: the skill in use (${skills}) does not allow ${tool}. Do it with the tools that you were given, or end here and tell the person what is missing; without /skill they can ask for it in their next message.`;

/**
 * Keeps a run to the tools that its skills in use allow: others are not offered, and each call is judged again, since
 * models call what they were not given. A sub-agent would not be bound by it, so none is started meanwhile. When the
 * skills cannot be read nothing but what is always allowed remains. Commands get the secrets that the skills in use
 * name.
 */
export const skillTools: MiddlewareKind = {
  name: 'skill-tools',
  create: ({ skills: shelf, skillSecrets = {} } = {}) => {
    return {
      beforeModel: async (run, draft) => {
        const { limit } = await inUse(run, shelf);
        return limit === null ? draft : { ...draft, tools: draft.tools.filter(({ name }) => mayCall(limit, name)) };
      },
      wrapTool: async (run, call, next) => {
        const name = call.name;
        const { limit, active, names } = await inUse(run, shelf);
        if (limit !== null && !mayCall(limit, name)) {
          run.logger.warn({ tool: name.slice(0, 64), skills: names }, 'a skill does not allow a tool call');
          return { status: 'error', text: refusal(name.slice(0, 64), names.join(', ')) };
        }
        run.commandEnv = secretsOf(active, skillSecrets);
        return next(call);
      },
    };
  },
};

const mayCall = (limit: NonNullable<ToolLimit>, tool: string): boolean => tool !== TASK && limit(tool);

interface InUse {
  readonly names: readonly string[];
  readonly active: readonly Skill[];
  readonly limit: ToolLimit;
}

async function inUse(run: Run, shelf: SkillShelf | undefined): Promise<InUse> {
  const turn = run.turnId;
  const names = activeIn(readSkills(run.state(SKILLS)), turn).map(({ name }) => name);
  if (names.length === 0) return { names, active: [], limit: null };
  const skills = await skillsOf(run, shelf);
  const found = names.map((name) => skills.find((skill) => skill.name === name));
  return { names, active: found.filter((skill) => skill !== undefined), limit: toolLimit(found) };
}

async function skillsOf(run: Run, shelf: SkillShelf | undefined): Promise<readonly Skill[]> {
  if (shelf === undefined) return [];
  try {
    return pickSkills(await shelf.contents(), run.request.assistant.skills);
  } catch (thrown) {
    run.logger.warn({ problem: asAntlerError(thrown).message }, 'the skills could not be read');
    return [];
  }
}

const secretsOf = (
  active: readonly Skill[],
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    active
      .flatMap((skill) => skill.secrets)
      .flatMap((name) => {
        const value = secrets[name];
        return value === undefined ? [] : [[name, value]];
      }),
  );
