import { AntlerError } from '../../../base/errors.ts';

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** Nothing is there, or it went away a moment ago. */
export const isMissing = (thrown: unknown): boolean => codeOf(thrown) === 'ENOENT';

/** What the file system says about a virtual path, as an error that names no path of this machine. */
export function fileError(thrown: unknown, path: string): unknown {
  if (thrown instanceof AntlerError) return thrown;
  switch (codeOf(thrown)) {
    case 'ENOENT':
      return new AntlerError('not_found', `there is nothing at ${path}.`);
    case 'ELOOP':
      return new AntlerError('bad_input', `${path} leads through a link; links are not followed`);
    case 'ENOTDIR':
      return new AntlerError('bad_input', `something on the way to ${path} is no folder`);
    case 'EISDIR':
    case 'ENOTEMPTY':
      return new AntlerError('bad_input', `${path} is a folder`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AntlerError('forbidden', `${path} may not be touched`);
    case 'ENXIO':
      return new AntlerError('bad_input', `${path} is no ordinary file`);
    case 'ENAMETOOLONG':
      return new AntlerError('bad_input', `${path} is too long a path`);
    case 'ENOSPC':
    case 'EDQUOT':
      return new AntlerError('too_large', 'the disk is full', { cause: thrown });
    default:
      return thrown;
  }
}
