import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { MAX_SKILLS } from './limits.ts';
import type { BrokenSkill, ShelfContents, Skill, SkillOrigin, SkillShelf } from './port.ts';
import { type Found, listSkillFiles, readSkill } from './read-folder.ts';

export interface ShelfOptions {
  /** Holds the folders of skills that ship; absent: none do. */
  readonly public?: string;
  /** Holds the admin's. */
  readonly custom?: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/** What an admin changes is there after so long. */
const LOOK_MS = 2_000;

type Read = { readonly skill: Skill } | { readonly broken: BrokenSkill };

/**
 * The skills of two folders, as they lie there now: looked at when somebody asks, at most every two seconds, and read
 * again only where something has changed. One that is broken is left out alone, and a custom one of its name does not
 * uncover the public one. When the folders cannot be read, what was known stays.
 */
export function openShelf(options: ShelfOptions): SkillShelf {
  const { clock, log } = options;
  let known: ReadonlyMap<string, { readonly print: string; readonly read: Read }> = new Map();
  let contents: ShelfContents = { skills: new Map(), broken: [] };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const next = new Map<string, { readonly print: string; readonly read: Read }>();
    const byName = new Map<string, Read>();
    for (const origin of ['public', 'custom'] as const) {
      const root = options[origin];
      if (root === undefined) continue;
      for (const name of await foldersIn(root)) {
        const key = `${origin}/${name}`;
        const found = await lookAt(join(root, name), origin, name, known.get(key));
        next.set(key, found);
        byName.set(name, found.read);
        if (known.get(key)?.print !== found.print) tell(key, found.read);
      }
    }
    known = next;
    const reads = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1));
    contents = {
      skills: new Map(reads.flatMap(([name, read]) => ('skill' in read ? [[name, read.skill] as const] : []))),
      broken: reads.flatMap(([, read]) => ('broken' in read ? [read.broken] : [])),
    };
  }

  function tell(skill: string, read: Read): void {
    if ('broken' in read) log.warn({ skill, problem: read.broken.problem }, 'a skill is broken and left out');
    else if (read.skill.warnings.length > 0) log.warn({ skill, problems: read.skill.warnings }, 'about a skill');
  }

  return {
    contents: async () => {
      if (looking === undefined && clock.now() - lookedAt < LOOK_MS) return contents;
      looking ??= look()
        .catch((thrown: unknown) => {
          log.warn({ problem: asAntlerError(thrown).message }, 'the skills could not be read; what was known stays');
        })
        .finally(() => {
          lookedAt = clock.now();
          looking = undefined;
        });
      await looking;
      return contents;
    },
  };
}

async function lookAt(
  folder: string,
  origin: SkillOrigin,
  name: string,
  before: { readonly print: string; readonly read: Read } | undefined,
): Promise<{ readonly print: string; readonly read: Read }> {
  let files: readonly Found[];
  try {
    files = await listSkillFiles(folder);
  } catch (thrown) {
    const problem = asAntlerError(thrown).message;
    return { print: problem, read: { broken: { name, origin, problem } } };
  }
  const print = JSON.stringify(files);
  if (before?.print === print) return before;
  try {
    return { print, read: { skill: await readSkill(folder, origin, name, files) } };
  } catch (thrown) {
    return { print, read: { broken: { name, origin, problem: asAntlerError(thrown).message } } };
  }
}

async function foldersIn(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
    return names.sort().slice(0, MAX_SKILLS);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}
