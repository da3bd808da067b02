import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AntlerError } from '../../base/errors.ts';
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES, MAX_MANIFEST_BYTES, MAX_SKILL_BYTES } from './limits.ts';
import { readManifest } from './manifest.ts';
import type { Skill, SkillFile, SkillOrigin } from './port.ts';

export const MANIFEST_FILE = 'SKILL.md';

/** A name in a skill: nothing hidden, nothing that another system reads otherwise (`a:stream` on NTFS). */
export const isSafeName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /^[^.\\/:*?"<>|\u0000-\u001f\u007f][^\\/:*?"<>|\u0000-\u001f\u007f]{0,254}$/.test(name) && !/[. ]$/.test(name);

/** What editors and systems leave behind in any folder. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', '__MACOSX', '__pycache__', '.git']);

/** A file as it lies there, by which a change is noticed. */
export interface Found extends SkillFile {
  readonly changedAt: number;
}

/**
 * All files of a skill's folder, sorted. Links are refused rather than followed: a skill is what lies in its folder.
 * @throws AntlerError `bad_input` for links and odd names, `too_large`.
 */
export async function listSkillFiles(folder: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  let bytes = 0;
  const walk = async (path: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) throw new AntlerError('bad_input', `${path}: folders are at most ${MAX_DEPTH} deep`);
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      if (LITTER.has(entry.name)) continue;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!isSafeName(entry.name)) throw new AntlerError('bad_input', `${JSON.stringify(inner)} is no name for a file`);
      if (entry.isDirectory()) {
        await walk(inner, depth + 1);
        continue;
      }
      if (!entry.isFile()) throw new AntlerError('bad_input', `${inner} is a link or no ordinary file`);
      const { size, mode, mtimeMs } = await lstat(join(folder, inner));
      bytes += size;
      if (found.length >= MAX_FILES) throw new AntlerError('too_large', `it has more than ${MAX_FILES} files`);
      if (size > MAX_FILE_BYTES) throw new AntlerError('too_large', `${inner} has more than ${MAX_FILE_BYTES} bytes`);
      if (bytes > MAX_SKILL_BYTES) throw new AntlerError('too_large', `it has more than ${MAX_SKILL_BYTES} bytes`);
      found.push({ path: inner, bytes: size, executable: (mode & 0o100) !== 0, changedAt: mtimeMs });
    }
  };
  await walk('', 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Reads a skill. @throws AntlerError with what is wrong.
 * `folderName`: what the folder is called, which must be the skill's name; absent where it has no lasting place yet.
 */
export async function readSkill(
  folder: string,
  origin: SkillOrigin,
  folderName?: string,
  known?: readonly Found[],
): Promise<Skill> {
  const files = known ?? (await listSkillFiles(folder));
  const manifestFile = files.find(({ path }) => path === MANIFEST_FILE);
  if (manifestFile === undefined) throw new AntlerError('bad_input', `there is no ${MANIFEST_FILE}`);
  if (manifestFile.bytes > MAX_MANIFEST_BYTES)
    throw new AntlerError('too_large', `${MANIFEST_FILE} has more than ${MAX_MANIFEST_BYTES} bytes`);
  const hash = createHash('sha256');
  let text = '';
  for (const { path, executable } of files) {
    const content = await readFile(join(folder, path));
    hash.update(JSON.stringify([path, executable, content.byteLength])).update(content);
    if (path === MANIFEST_FILE) text = decoded(content);
  }
  const { manifest, body, warnings } = readManifest(text);
  if (folderName !== undefined && manifest.name !== folderName)
    throw new AntlerError('bad_input', `its name is ${manifest.name}; its folder must be called that, too`);
  const listed = files.map(({ path, bytes, executable }) => ({ path, bytes, executable }));
  return { ...manifest, origin, body, folder, files: listed, digest: hash.digest('hex'), warnings };
}

function decoded(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new AntlerError('bad_input', `${MANIFEST_FILE} is not UTF-8`);
  }
}
