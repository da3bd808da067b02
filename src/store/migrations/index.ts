import type { Migration } from 'kysely/migration';
import * as firstLight from './0001-first-light.ts';
import * as files from './0002-files.ts';
import * as admissions from './0003-admissions.ts';
import * as proposals from './0004-proposals.ts';
import * as people from './0005-people.ts';
import * as chatMoves from './0006-chat-moves.ts';
import * as budgets from './0007-budgets.ts';
import * as memory from './0009-memory.ts';
import * as overheard from './0010-overheard.ts';
import * as tasks from './0011-tasks.ts';
import * as schedules from './0012-schedules.ts';

/** In order. A migration that has been released is never changed: what it got wrong, the next one mends. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-light': { up: firstLight.up },
  '0002-files': { up: files.up },
  '0003-admissions': { up: admissions.up },
  '0004-proposals': { up: proposals.up },
  '0005-people': { up: people.up },
  '0006-chat-moves': { up: chatMoves.up },
  '0007-budgets': { up: budgets.up },
  '0009-memory': { up: memory.up },
  '0010-overheard': { up: overheard.up },
  '0011-tasks': { up: tasks.up },
  '0012-schedules': { up: schedules.up },
};
