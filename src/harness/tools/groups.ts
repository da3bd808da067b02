import { DELEGATE_TASK } from '../delegation/tools.ts';
import { VIEW_IMAGE } from '../images/view-image.ts';
import { memoryToolNames } from '../memory/names.ts';
import { scheduleToolNames } from '../schedules/names.ts';
import { TASK } from '../subagents/task.ts';
import { webToolNames } from './web/index.ts';

const PREFIX = 'group:';

/** What an assistant's list of tools can name at once. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  basics: ['current_time', 'calculator', 'ask_clarification', 'todo_write'],
  files: [
    ...['read_file', 'send_file', 'write_file', 'append_file', 'replace_in_file', 'remove_file'],
    ...[VIEW_IMAGE, 'list_files', 'glob', 'grep', 'present_files'],
  ],
  shell: ['shell'],
  web: webToolNames,
  agents: [TASK],
  tasks: [DELEGATE_TASK],
  schedules: scheduleToolNames,
  memory: memoryToolNames,
};

/** E.g. `group:files`. */
export const groupNames: readonly string[] = Object.keys(GROUPS).map((name) => `${PREFIX}${name}`);

/** A list of tools with its groups written out; what is no group stays as it is. */
export const withoutGroups = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (name.startsWith(PREFIX) ? (GROUPS[name.slice(PREFIX.length)] ?? []) : [name]));
