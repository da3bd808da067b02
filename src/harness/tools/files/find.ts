import { AntlerError } from '../../../base/errors.ts';
import type { LogEntry, LoggedFile } from '../../log.ts';
import { asName } from '../../transcript/frame.ts';
import { filesOf } from '../../transcript/images.ts';

/** Names that are told when none fits. */
const MAX_TOLD = 20;

/** What people have sent in a conversation, newest first. */
const sentFiles = (log: readonly LogEntry[]): readonly LoggedFile[] =>
  log.flatMap((entry) => (entry.kind === 'user' ? filesOf(entry) : [])).toReversed();

/** The file of the conversation that somebody means by an id or a name; of several with one name the newest. */
export function findFile(log: readonly LogEntry[], wanted: string): LoggedFile | undefined {
  const files = sentFiles(log);
  const name = wanted.trim();
  return (
    files.find(({ id }) => id === name) ??
    files.find((file) => file.name === name) ??
    // As the model was shown it: escaped, and cut when it is long.
    files.find((file) => asName(file.name) === name) ??
    files.find((file) => file.name.toLowerCase() === name.toLowerCase())
  );
}

/** Tells what there is instead. */
export function noSuchFile(log: readonly LogEntry[]): AntlerError {
  const names = [...new Set(sentFiles(log).map((file) => file.name))].slice(0, MAX_TOLD).join(', ');
  return new AntlerError(
    'not_found',
    `there is no file of that name in this conversation; there are: ${names === '' ? 'none' : names}.`,
  );
}
