import { closeSync, openSync, statSync } from 'node:fs';

/**
 * Makes an empty file that its owner alone may read; a file that is there is not even opened: to close it again would
 * take away the locks that this process holds on it (fcntl(2)), such as those of a database.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw thrown;
  }
}
