import { VIEW_IMAGE } from './images/view-image.ts';
import { TASK } from './subagents/task.ts';
import { groupNames } from './tools/groups.ts';
import { builtInTools } from './tools/index.ts';
import { webToolNames } from './tools/web/index.ts';

/** The tools and groups of tools that an assistant of the configuration can name. */
export const toolNames = (): readonly string[] => [
  ...builtInTools().names,
  ...webToolNames,
  TASK,
  VIEW_IMAGE,
  ...groupNames,
];
