import type { UnzipFileInfo } from 'fflate';
import { AntlerError } from '../../base/errors.ts';
import { unzip, type ZipProblems, zipEntries } from '../zip.ts';
import { MAX_ARCHIVE_BYTES, MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES, MAX_SKILL_BYTES } from './limits.ts';
import { isSafeName, MANIFEST_FILE } from './read-folder.ts';

/** Entries that are no files, and those of systems that add their own. */
const MAX_ENTRIES = MAX_FILES * 4;
const LITTER = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/;

/**
 * The files of a ZIP archive that holds one skill, at its top or in one folder. Everything that the archive declares
 * is checked before anything is unpacked. Links become ordinary files, since all that is read of an entry is its bytes.
 *
 * @throws AntlerError `bad_input` for odd paths or a damaged archive, `too_large`.
 */
export function unpackSkill(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  if (archive.byteLength > MAX_ARCHIVE_BYTES)
    throw new AntlerError('too_large', `the archive has more than ${MAX_ARCHIVE_BYTES} bytes`);
  const entries = entriesOf(archive);
  const files = entries.filter(({ name }) => !name.endsWith('/') && !LITTER.test(name));
  checkSizes(files);
  for (const { name } of files) checkPath(name);
  const root = rootOf(files.map(({ name }) => name));
  const wanted = new Set(files.map(({ name }) => name));
  const parts = unzip(archive, (name) => wanted.has(name), PROBLEMS);
  const unpacked = new Map<string, Uint8Array>();
  for (const [name, content] of Object.entries(parts)) {
    const path = name.slice(root.length);
    // On a file system that ignores case, one would replace the other.
    if ([...unpacked.keys()].some((other) => other.toLowerCase() === path.toLowerCase()))
      throw new AntlerError('bad_input', `the archive holds ${path} twice`);
    unpacked.set(path, content);
  }
  return unpacked;
}

const PROBLEMS: ZipProblems = {
  tooManyEntries: () => new AntlerError('too_large', `the archive has more than ${MAX_ENTRIES} entries`),
  damaged: (cause) => new AntlerError('bad_input', 'this is no ZIP archive, or a damaged one', { cause }),
};

function entriesOf(archive: Uint8Array): readonly UnzipFileInfo[] {
  const entries = zipEntries(archive, MAX_ENTRIES, PROBLEMS);
  const names = entries.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new AntlerError('bad_input', 'the archive holds a file twice');
  return entries;
}

function checkSizes(files: readonly UnzipFileInfo[]): void {
  if (files.length > MAX_FILES) throw new AntlerError('too_large', `the archive has more than ${MAX_FILES} files`);
  let total = 0;
  for (const { name, originalSize } of files) {
    total += originalSize;
    if (originalSize > MAX_FILE_BYTES)
      throw new AntlerError('too_large', `${shown(name)} has more than ${MAX_FILE_BYTES} bytes`);
    if (total > MAX_SKILL_BYTES)
      throw new AntlerError('too_large', `the archive holds more than ${MAX_SKILL_BYTES} bytes`);
  }
}

function checkPath(path: string): void {
  const names = path.split('/');
  if (names.length > MAX_DEPTH + 2 || !names.every(isSafeName))
    throw new AntlerError('bad_input', `the archive holds ${shown(path)}, which is no path for a skill's file`);
}

/** The folder that holds `SKILL.md`, with its slash; everything must be in it. */
function rootOf(paths: readonly string[]): string {
  const roots = paths
    .filter((path) => path === MANIFEST_FILE || /^[^/]+\/SKILL\.md$/.test(path))
    .map((path) => path.slice(0, -MANIFEST_FILE.length));
  const [root, other] = roots;
  if (root === undefined)
    throw new AntlerError(
      'bad_input',
      `the archive holds no ${MANIFEST_FILE}, neither at its top nor in its one folder`,
    );
  const outside = paths.find((path) => !path.startsWith(root));
  if (root !== '' && (other !== undefined || outside !== undefined))
    throw new AntlerError('bad_input', 'the archive holds more than one skill; install them one by one');
  return root;
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100));
