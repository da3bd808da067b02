import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { makeFolder } from '../base/folder.ts';
import type { Logger } from '../base/logger.ts';
import type { Config } from '../config/schema/config.ts';
import type { Assistant } from '../harness/port.ts';
import { pickSkills, type SkillShelf } from '../harness/skills/port.ts';
import { openShelf } from '../harness/skills/shelf.ts';
import { openViews } from '../harness/skills/views.ts';

/** The skills that ship. */
const PUBLIC = join(import.meta.dirname, '../../skills/public');

export const shelfOf = ({ skills }: Pick<Config, 'skills'>, clock: Pick<Clock, 'now'>, log: Logger): SkillShelf =>
  openShelf({ public: PUBLIC, custom: skills.custom_dir, clock, log: log.child({ room: 'skills' }) });

/** Where the skills of an assistant lie for its file tools and commands: below the workspaces, as the engine has them. */
export function skillFolders(
  workspaces: string,
  shelf: SkillShelf,
  clock: Pick<Clock, 'now'>,
): (assistant: Assistant) => Promise<string | null> {
  makeFolder(workspaces);
  const views = openViews(join(realpathSync(workspaces), '.skills'), clock);
  return async (assistant) => views.folderFor(pickSkills(await shelf.contents(), assistant.skills));
}
