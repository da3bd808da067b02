import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, ok, type Verdict } from './check.ts';

/**
 * Can files be kept in the folder? Found out by making something in it, or in the nearest one above that is there, and
 * taking it away again: rights alone do not tell of file systems that are full, read-only or virtual.
 */
export function checkFolder(path: string): Verdict {
  const existing = nearestExisting(path);
  if (!statSync(existing).isDirectory()) return fail(`${existing} is a file, not a folder; set data_dir to a folder`);
  try {
    rmdirSync(mkdtempSync(join(existing, '.antler-')));
  } catch (error) {
    return fail(`${existing} ${reasonOf(error)}, or set data_dir to another folder`);
  }
  return ok(existing === path ? `${path} is writable` : `${path} will be made`);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be written to; give this user the right';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'is full; make room';
  return `takes nothing new (${code}); mend that`;
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
