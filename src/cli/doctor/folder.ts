import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Verdict } from './check.ts';

/** Can files be kept in the folder? Changes nothing: a folder that is not there yet is judged by what is above it. */
export function checkFolder(path: string): Verdict {
  const existing = nearestExisting(path);
  if (!statSync(existing).isDirectory()) return fail(`${existing} is a file, not a folder; set data_dir to a folder`);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    return fail(`${existing} may not be written to; give this user the right, or set data_dir to another folder`);
  }
  return ok(existing === path ? `${path} is writable` : `${path} will be made`);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
