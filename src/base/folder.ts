import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AntlerError } from './errors.ts';

/**
 * Makes a folder, and those above it, readable by its owner only; one that is there is left as it is. Done step by step
 * because `mkdir` with `recursive` never ends on file systems that let nothing be made (`/proc/x`).
 *
 * @throws AntlerError `config_invalid` with what to do when there can be no such folder, `unavailable` on a full disk.
 */
export function makeFolder(path: string): void {
  for (const step of missing(resolve(path))) {
    try {
      mkdirSync(step, { mode: 0o700 });
    } catch (thrown) {
      // Somebody else may have made it just now.
      if (!isFolder(step)) throw folderError(path, thrown);
    }
  }
}

/** What is not there yet of a path, from the top down; also a file that is in the way. */
function missing(path: string): string[] {
  if (isFolder(path)) return [];
  const above = dirname(path);
  return above === path ? [path] : [...missing(above), path];
}

function isFolder(path: string): boolean {
  // What cannot be looked at fails when it is made, which says why.
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Why there can be no folder, as the end of a sentence that begins with its path. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'something else of that name is there',
  ENOTDIR: 'something above it is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
};

function folderError(path: string, cause: unknown): AntlerError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  if (code === 'ENOSPC')
    return new AntlerError('unavailable', `The disk is full: make room for the folder ${path}.`, {
      retryable: true,
      cause,
    });
  const why = reasons[code] ?? `the file system does not allow it (${code})`;
  return new AntlerError(
    'config_invalid',
    `The folder ${path} cannot be made: ${why}. Set data_dir (or ANTLER_DATA_DIR) to a folder that Antler may write.`,
    { cause },
  );
}
