import { AntlerError, type ErrorCode } from '../../base/errors.ts';

/** Where the database is, for messages: never the password. */
export interface ServerName {
  /** `host:port` */
  readonly address: string;
  readonly user: string;
  readonly database: string;
}

/** Error codes of the network: the server is not there, or has gone. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
]);
/** What `pg` says, without a code, of a connection that is not there any more or never came about. */
const lostConnection = /^Connection terminated|^timeout exceeded when trying to connect|not queryable|socket hang up/;
const badPassword = /^SASL: |password must be a string/i;
const badCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

/** What `pg` threw, for an admin. SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function postgresError(thrown: unknown, server: ServerName): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  if (!(thrown instanceof Error)) return new AntlerError('internal', `PostgreSQL: ${String(thrown)}`);
  const code = 'code' in thrown ? String(thrown.code) : '';
  const [kind, message] = explain(code, thrown.message, server);
  return new AntlerError(kind, message, { retryable: mayPass(kind), cause: withoutRows(thrown, code) });
}

const mayPass = (kind: ErrorCode): boolean => kind === 'unavailable' || kind === 'timeout';

function explain(code: string, message: string, server: ServerName): readonly [ErrorCode, string] {
  const { address, user, database } = server;
  if (networkCodes.has(code) || lostConnection.test(message))
    return [
      'unavailable',
      `PostgreSQL at ${address} cannot be reached (${code || message}). Start it, or check database.url.`,
    ];
  if (badPassword.test(message))
    return ['unauthorized', `PostgreSQL at ${address} wants a password for user "${user}". Check database.url.`];
  if (badCertificate.test(code))
    return [
      'config_invalid',
      `The certificate of PostgreSQL at ${address} is not trusted (${code}). Check sslmode in database.url.`,
    ];
  if (message.includes('does not support SSL'))
    return ['config_invalid', `PostgreSQL at ${address} does not speak TLS. Remove sslmode from database.url.`];
  switch (code) {
    case '28P01':
    case '28000':
      return [
        'unauthorized',
        `PostgreSQL at ${address} refuses user "${user}" (${message}). Check user and password in database.url.`,
      ];
    case '3D000':
      return ['not_found', `PostgreSQL at ${address} has no database "${database}". Create it: createdb ${database}`];
    case '42P01':
      return ['not_found', `PostgreSQL: ${message}`];
    case '42501':
      return [
        'forbidden',
        `PostgreSQL at ${address} does not let user "${user}" do this (${message}). Grant the rights on database "${database}".`,
      ];
    case '25006':
      return [
        'unavailable',
        `PostgreSQL at ${address} is read-only, perhaps a standby. Point database.url to the primary.`,
      ];
    case '53100':
      return ['unavailable', `The disk of PostgreSQL at ${address} is full.`];
    case '57014':
      return ['timeout', `PostgreSQL at ${address} took too long and was stopped.`];
    case '23505':
      return ['conflict', `PostgreSQL: ${message}`];
    case '23503':
      return ['not_found', 'The row names a thread or run that is not in the database.'];
  }
  // Classes: connection exception, insufficient resources, operator intervention (shut down, starting up), system error.
  if (/^(08|53|57P|58)/.test(code))
    return ['unavailable', `PostgreSQL at ${address} cannot serve at the moment (${message}).`];
  // Transaction rollback: deadlock, serialisation.
  if (code.startsWith('40')) return ['unavailable', `PostgreSQL gave way to another transaction (${message}).`];
  return ['internal', `PostgreSQL: ${message}`];
}

/** The original without what PostgreSQL quotes of rows (`detail`, `where`), which may be people's messages. */
function withoutRows(thrown: Error, code: string): Error {
  const cause = new Error(thrown.message);
  cause.name = thrown.name;
  if (thrown.stack !== undefined) cause.stack = thrown.stack;
  return Object.assign(cause, { code });
}
