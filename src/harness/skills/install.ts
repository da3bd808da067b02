import { randomUUID } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AntlerError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import { unpackSkill } from './archive.ts';
import { MAX_ARCHIVE_BYTES } from './limits.ts';
import type { Skill } from './port.ts';
import { isSafeName, listSkillFiles, readSkill } from './read-folder.ts';
import { type ScanFinding, scanSkill } from './scan.ts';

export interface CheckedSkill {
  readonly skill: Skill;
  readonly findings: readonly ScanFinding[];
}

export interface InstallOptions {
  /** Where custom skills lie; made when it is missing. */
  readonly custom: string;
  /** In spite of severe findings. */
  readonly force?: boolean;
}

export interface Installed extends CheckedSkill {
  /** There was one of its name. */
  readonly replaced: boolean;
}

/**
 * Checks a skill in a folder or an archive (`.zip`, `.skill`) by a copy, which is gone afterwards.
 * @throws AntlerError with what is wrong with it.
 */
export async function checkSkill(source: string, custom: string): Promise<CheckedSkill> {
  return staged(source, custom, async (checked) => checked);
}

/**
 * Installs a skill from a folder or an archive. What is installed is the very copy that was checked and looked through;
 * one of the same name is replaced in one step.
 *
 * @throws AntlerError with what is wrong with it; `forbidden` for severe findings.
 */
export async function installSkill(source: string, { custom, force = false }: InstallOptions): Promise<Installed> {
  return staged(source, custom, async (checked, folder) => {
    const severe = checked.findings.filter(({ severity }) => severity === 'severe');
    if (severe.length > 0 && !force) throw refused(severe);
    const { name } = checked.skill;
    const replaced = await moveInto(folder, custom, name);
    return { ...checked, skill: { ...checked.skill, folder: join(custom, name) }, replaced };
  });
}

/** @throws AntlerError `not_found`. */
export async function removeSkill(name: string, custom: string): Promise<void> {
  const folder = join(custom, name);
  if (!isSafeName(name) || !(await isFolder(folder)))
    throw new AntlerError('not_found', `There is no custom skill ${JSON.stringify(name.slice(0, 64))}.`);
  const away = join(custom, `.removed-${randomUUID()}`);
  await rename(folder, away);
  await rm(away, { recursive: true, force: true });
}

/** Puts one file of a custom skill in place, making the skill when there is none; the rest of it stays. */
export async function writeManifest(name: string, text: string, custom: string): Promise<void> {
  const folder = join(custom, name);
  makeFolder(folder);
  const draft = join(custom, `.draft-${randomUUID()}`);
  await writeFile(draft, text, { mode: 0o644 });
  await rename(draft, join(folder, 'SKILL.md'));
}

export function refused(severe: readonly ScanFinding[]): AntlerError {
  const list = severe.map(({ file, line, what }) => `${file}${line === 0 ? '' : `:${line}`}: ${what}`).join('; ');
  return new AntlerError('forbidden', `Not installed: ${list}. If you know better, repeat it with --force.`);
}

async function staged<T>(
  source: string,
  custom: string,
  use: (checked: CheckedSkill, folder: string) => Promise<T>,
): Promise<T> {
  makeFolder(custom);
  const stage = join(custom, `.stage-${randomUUID()}`);
  try {
    await mkdir(stage, { mode: 0o755 });
    await copyInto(stage, source);
    const skill = await readSkill(stage, 'custom');
    return await use({ skill, findings: await scanSkill(skill) }, stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function copyInto(stage: string, source: string): Promise<void> {
  const stats = await lstat(source).catch((cause: unknown) => {
    throw new AntlerError('not_found', `There is nothing at ${source}.`, { cause });
  });
  if (stats.isDirectory()) {
    for (const { path, executable } of await listSkillFiles(source)) {
      const target = join(stage, path);
      await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      await copyFile(join(source, path), target);
      await chmod(target, executable ? 0o755 : 0o644);
    }
    return;
  }
  if (!stats.isFile()) throw new AntlerError('bad_input', `${source} is neither a folder nor a file.`);
  if (stats.size > MAX_ARCHIVE_BYTES)
    throw new AntlerError('too_large', `the archive has more than ${MAX_ARCHIVE_BYTES} bytes`);
  for (const [path, content] of unpackSkill(await readFile(source))) {
    const target = join(stage, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, content, { mode: 0o644, flag: 'wx' });
  }
}

/** @returns whether one of this name was replaced; it comes back when the new one cannot take its place. */
async function moveInto(folder: string, custom: string, name: string): Promise<boolean> {
  const target = join(custom, name);
  if (!(await isFolder(target))) {
    await rename(folder, target);
    return false;
  }
  const former = join(custom, `.former-${randomUUID()}`);
  await rename(target, former);
  try {
    await rename(folder, target);
  } catch (thrown) {
    await rename(former, target);
    throw thrown;
  }
  await rm(former, { recursive: true, force: true });
  return true;
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
