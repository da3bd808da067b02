import { type Logger as PinoLogger, pino } from 'pino';
import type { Logger } from '../base/logger.ts';
import { loggable } from './fields.ts';
import { prettyLine } from './pretty.ts';
import { scrub } from './scrub.ts';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Lines for people instead of JSON. Default: when standard output is a terminal. */
  readonly pretty?: boolean;
  /** Where lines go. Default: standard output. */
  readonly write?: (line: string) => void;
}

/**
 * The log: one line an event, JSON or readable. Whatever is put into it, secrets do not come out: fields with
 * secret-looking names are blackened, and every finished line is scrubbed of known and recognisable secrets.
 */
export function createLogger(options: LogOptions): Logger {
  const write = options.write ?? ((line) => void process.stdout.write(line));
  const pretty = options.pretty ?? (options.write === undefined && process.stdout.isTTY === true);
  const root = pino(
    {
      level: options.level,
      base: null,
      formatters: { level: (label) => ({ level: label }), log: loggable },
      // Ours has worded errors already; pino's own would undo it.
      serializers: { err: (error) => error },
      hooks: { streamWrite: scrub },
    },
    { write: pretty ? (line) => write(prettyLine(line)) : write },
  );
  return asLogger(root);
}

function asLogger(target: PinoLogger): Logger {
  return {
    debug: (fields, message) => target.debug(fields, message),
    info: (fields, message) => target.info(fields, message),
    warn: (fields, message) => target.warn(fields, message),
    error: (fields, message) => target.error(fields, message),
    // pino formats the fields of a child only once, without asking us.
    child: (fields) => asLogger(target.child(loggable(fields))),
  };
}
