import { AntlerError } from '../../../base/errors.ts';
import type { LogEntry, LoggedFile } from '../../log.ts';
import { filesOf } from '../../transcript/images.ts';

/** Names that are told when none fits. */
const MAX_TOLD = 20;

/**
 * The file of the conversation that somebody means by an id or a name; of several with one name the newest.
 * @throws AntlerError `not_found` that lists what there is.
 */
export function findFile(log: readonly LogEntry[], wanted: string): LoggedFile {
  const files = log.flatMap((entry) => (entry.kind === 'user' ? filesOf(entry) : [])).toReversed();
  const name = wanted.trim();
  const found =
    files.find(({ id }) => id === name) ??
    files.find((file) => file.name === name) ??
    files.find((file) => file.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = [...new Set(files.map((file) => file.name))].slice(0, MAX_TOLD).join(', ');
  throw new AntlerError(
    'not_found',
    `there is no file of that name in this conversation; there are: ${names === '' ? 'none' : names}.`,
  );
}
