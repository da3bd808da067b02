import { AntlerError } from '../../base/errors.ts';

/** Primary result codes, the low byte of `errcode`: https://www.sqlite.org/rescode.html */
const primary = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

/** Extended result codes. */
const extended = { foreignKey: 787, primaryKey: 1555, unique: 2067 } as const;

/** What `node:sqlite` or the file system threw, for an admin. `file` is the database. */
export function sqliteError(thrown: unknown, file: string): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  if (!(thrown instanceof Error)) return new AntlerError('internal', `SQLite: ${String(thrown)}`);
  const unavailable = (message: string): AntlerError =>
    new AntlerError('unavailable', message, { retryable: true, cause: thrown });
  const code = resultCode(thrown);
  if (code === undefined) return fileError(thrown, file);
  switch (code & 0xff) {
    case primary.busy:
    case primary.locked:
      return unavailable(`The database ${file} is locked by another process.`);
    case primary.readonly:
      return unavailable(`The database ${file} cannot be written: give Antler write permission to it and its folder.`);
    case primary.full:
      return unavailable(`The disk is full: make room for the database ${file}.`);
    case primary.ioError:
      return unavailable(`The disk fails to read or write the database ${file} (${thrown.message}).`);
    case primary.cannotOpen:
      return unavailable(`The database ${file} cannot be opened: check that its folder exists and is writable.`);
    case primary.notADatabase:
      return new AntlerError(
        'config_invalid',
        `${file} is not an SQLite database: name another file or move it away.`,
        { cause: thrown },
      );
    case primary.corrupt:
      return new AntlerError('internal', `The database ${file} is damaged: restore a backup.`, { cause: thrown });
    case primary.constraint:
      return constraintError(thrown, code);
    default:
      return thrown.message.startsWith('no such table')
        ? new AntlerError('not_found', `SQLite: ${thrown.message}`, { cause: thrown })
        : new AntlerError('internal', `SQLite: ${thrown.message}`, { cause: thrown });
  }
}

/** Does somebody else hold the lock? Then the same call may pass a moment later. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof AntlerError ? resultCode(error.cause) : undefined;
  return code !== undefined && (code & 0xff) === primary.busy;
}

function resultCode(thrown: unknown): number | undefined {
  return thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number'
    ? thrown.errcode
    : undefined;
}

function constraintError(thrown: Error, code: number): AntlerError {
  if (code === extended.unique || code === extended.primaryKey)
    return new AntlerError('conflict', `SQLite: ${thrown.message}`, { cause: thrown });
  if (code === extended.foreignKey)
    return new AntlerError('not_found', 'The row names a thread or run that is not in the database.', {
      cause: thrown,
    });
  return new AntlerError('internal', `SQLite: ${thrown.message}`, { cause: thrown });
}

/** Making the folder or the file itself failed, or it is a fault of ours. */
function fileError(thrown: Error, file: string): AntlerError {
  const code = 'code' in thrown ? String(thrown.code) : '';
  switch (code) {
    case 'ENOSPC':
      return new AntlerError('unavailable', `The disk is full: make room for the database ${file}.`, {
        retryable: true,
        cause: thrown,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
      return new AntlerError(
        'config_invalid',
        `The database ${file} cannot be made there (${code}): set data_dir to a folder that Antler may write.`,
        { cause: thrown },
      );
    case 'ERR_INVALID_STATE':
      return new AntlerError('unavailable', 'The database is closed.', { cause: thrown });
    default:
      return new AntlerError('internal', `SQLite: ${thrown.message}`, { cause: thrown });
  }
}
