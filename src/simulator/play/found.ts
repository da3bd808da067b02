import { AntlerError } from '../../base/errors.ts';

/** What was looked for. @throws AntlerError `not_found` when it is not there. */
export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new AntlerError('not_found', 'That is not there (any more).');
  return value;
}
