import { AntlerError } from '../../base/errors.ts';
import type { ServerName } from './errors.ts';

/** Reads from a connection URL what may be shown of it. Rejects with `config_invalid` what is no such URL. */
export function serverName(url: string): ServerName {
  // `pg` takes a URL that names its host only in the query (a socket's folder); the standard's parser does not.
  const parsed = URL.parse(url.replace('@/', '@localhost/'));
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) throw badUrl();
  const host = parsed.searchParams.get('host') ?? (parsed.hostname || 'localhost');
  const user = decode(parsed.username) || process.env.PGUSER || 'default';
  decode(parsed.password);
  return {
    address: host.startsWith('/') ? host : `${host}:${parsed.port || '5432'}`,
    user,
    database: decode(parsed.pathname.slice(1)) || process.env.PGDATABASE || user,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badUrl();
  }
}

/** Neither quotes the URL nor has the parser's error as its cause: both would show the password. */
function badUrl(): AntlerError {
  return new AntlerError(
    'config_invalid',
    'database.url is not of the form postgres://user:password@host:5432/database. Special characters in the password must be percent-encoded.',
  );
}
