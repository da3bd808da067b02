import { AntlerError } from '../../base/errors.ts';
import type { ServerName } from './errors.ts';

/** Reads from a connection URL what may be shown of it. Rejects with `config_invalid` what is no such URL. */
export function serverName(url: string): ServerName {
  const parsed = URL.parse(url);
  // The URL is not part of the message, nor is the parser's error its cause: both would show the password.
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new AntlerError(
      'config_invalid',
      'database.url is not of the form postgres://user:password@host:5432/database. Special characters in the password must be percent-encoded.',
    );
  const host = parsed.searchParams.get('host') ?? (parsed.hostname || 'localhost');
  const user = decode(parsed.username) || process.env.PGUSER || 'default';
  return {
    address: host.startsWith('/') ? host : `${host}:${parsed.port || '5432'}`,
    user,
    database: decode(parsed.pathname.slice(1)) || process.env.PGDATABASE || user,
  };
}

/** A stray `%` is no reason to fail here; `pg` says itself what it makes of it. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
