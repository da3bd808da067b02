import { createHash, randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import type { Skill } from './port.ts';
import { readSkill } from './read-folder.ts';

/** One that nobody has opened for so long is removed; whoever needs it again makes it again. */
const KEEP_MS = 7 * 24 * 3_600_000;

export interface SkillViews {
  /** A folder with these skills and no others; null for none. Absolute, and nothing in it ever changes. */
  folderFor(skills: readonly Skill[]): Promise<string | null>;
}

/**
 * What commands and file tools see of skills: copies of just those that an assistant has, in a folder that is named
 * by all that they hold. So two processes that make the same one do not get into each other's way, nobody who works
 * with one sees it change, and nothing that is done to a copy touches a skill.
 */
export function openViews(base: string, clock: Pick<Clock, 'now'>): SkillViews {
  const making = new Map<string, Promise<void>>();

  async function make(folder: string, skills: readonly Skill[]): Promise<void> {
    if (await isThere(folder)) return;
    makeFolder(base);
    await sweep(base, clock.now());
    const draft = join(base, `.draft-${randomUUID()}`);
    try {
      await mkdir(draft, { mode: 0o755 });
      for (const skill of skills) await copySkill(skill, join(draft, skill.name));
      await rename(draft, folder).catch(async (thrown: unknown) => {
        if (!(await isThere(folder))) throw thrown; // else another process was faster
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  return {
    folderFor: async (skills) => {
      if (skills.length === 0) return null;
      const names = skills.map(({ name, digest }) => `${name}:${digest}`).sort();
      const folder = join(base, createHash('sha256').update(names.join('\n')).digest('hex'));
      const current = making.get(folder) ?? make(folder, skills).finally(() => making.delete(folder));
      making.set(folder, current);
      await current;
      const now = new Date(clock.now());
      await utimes(folder, now, now);
      return folder;
    },
  };
}

async function copySkill(skill: Skill, target: string): Promise<void> {
  await mkdir(target, { mode: 0o755 });
  for (const { path, executable } of skill.files) {
    const file = join(target, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await copyFile(join(skill.folder, path), file);
    await chmod(file, executable ? 0o555 : 0o444);
  }
  const copied = await readSkill(target, skill.origin);
  if (copied.digest !== skill.digest)
    throw new AntlerError('conflict', `the skill ${skill.name} is being changed; try again in a moment`, {
      retryable: true,
    });
}

async function sweep(base: string, now: number): Promise<void> {
  for (const name of await readdir(base)) {
    const path = join(base, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > KEEP_MS) await rm(path, { recursive: true, force: true });
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
