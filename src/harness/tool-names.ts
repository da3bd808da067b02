import { DELEGATE_TASK } from './delegation/tools.ts';
import { VIEW_IMAGE } from './images/view-image.ts';
import { memoryToolNames } from './memory/names.ts';
import { scheduleToolNames } from './schedules/names.ts';
import { LOAD_SKILL, SKILL_SEARCH } from './skills/names.ts';
import { TASK } from './subagents/task.ts';
import { groupNames } from './tools/groups.ts';
import { builtInTools } from './tools/index.ts';
import { TOOL_SEARCH } from './tools/names.ts';
import { webToolNames } from './tools/web/index.ts';

/** The tools and groups of tools that an assistant of the configuration can name. */
export const toolNames = (): readonly string[] => [
  ...builtInTools().names,
  ...webToolNames,
  TASK,
  DELEGATE_TASK,
  ...scheduleToolNames,
  VIEW_IMAGE,
  ...memoryToolNames,
  ...groupNames,
];

/** Names that no tool from outside may bear. */
export const reservedNames = (): ReadonlySet<string> =>
  new Set([...toolNames(), TOOL_SEARCH, LOAD_SKILL, SKILL_SEARCH]);
