import { ASK_CLARIFICATION } from '../tools/ask-clarification.ts';
import { TOOL_SEARCH } from '../tools/names.ts';
import { LOAD_SKILL, SKILL_SEARCH } from './names.ts';
import type { Skill } from './port.ts';

/** Without these no skill could be read, or ask what it has to know. */
const ALWAYS: ReadonlySet<string> = new Set([LOAD_SKILL, SKILL_SEARCH, TOOL_SEARCH, ASK_CLARIFICATION, 'current_time']);

/** Whether a tool may be used; null: nothing is restricted. */
export type ToolLimit = ((tool: string) => boolean) | null;

/**
 * What the skills in use leave of the tools: what all of those allow that say anything, so that loading another skill
 * never gets around the first one's list. A skill that is not there (any more) leaves only what is always allowed.
 */
export function toolLimit(active: readonly (Skill | undefined)[]): ToolLimit {
  const lists = active.map((skill) => (skill === undefined ? [] : skill.allowedTools)).filter((list) => list !== null);
  if (lists.length === 0) return null;
  const matchers = lists.map((list) => list.map(matcher));
  return (tool) => ALWAYS.has(tool) || matchers.every((list) => list.some((fits) => fits.test(tool)));
}

/** Names of tools have no signs but `-` and `_`, so only `*` means anything. */
const matcher = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
