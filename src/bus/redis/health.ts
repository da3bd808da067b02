import { AntlerError } from '../../base/errors.ts';
import { type RedisClient, unavailable } from './connection.ts';

/** What `INFO` tells about a server, as far as it matters here. */
export interface ServerFacts {
  readonly version: string;
  readonly policy: string;
  readonly appendOnly: boolean;
  /** When the append-only file is synced: `always`, `everysec` or `no`; empty when the server does not say. */
  readonly sync: string;
  readonly role: string;
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  return new Map(
    info
      .split(/\r?\n/)
      .map((line) => line.split(':'))
      .map(([name = '', value = '']) => [name, value]),
  );
}

/** The share of its memory that a server has used; 0 where none was set. Counts as Redis does before it refuses. */
export function memoryShare(info: string): number {
  const fields = fieldsOf(info);
  const bytes = (name: string): number => Number(fields.get(name) ?? 0);
  const most = bytes('maxmemory');
  return most > 0 ? (bytes('used_memory') - bytes('mem_not_counted_for_evict')) / most : 0;
}

/** Reads the text that `INFO` answers; `sync` is told apart from it. */
export function parseInfo(info: string, sync = ''): ServerFacts {
  const fields = fieldsOf(info);
  return {
    version: fields.get('redis_version') ?? '0',
    policy: fields.get('maxmemory_policy') ?? '',
    appendOnly: fields.get('aof_enabled') === '1',
    sync,
    role: fields.get('role') ?? 'master',
  };
}

/** Is version `is` at least `wanted`? Both like `7.0.15`. */
export function atLeast(is: string, wanted: string): boolean {
  return is.localeCompare(wanted, 'en', { numeric: true }) >= 0;
}

/** What is wrong with such a server and what to do about it; null when nothing is. */
export function problemOf(facts: ServerFacts): string | null {
  if (!atLeast(facts.version, '6.2'))
    return `Redis ${facts.version} is too old. Install Redis 6.2 or newer, better 7 or newer.`;
  // An evicting Redis throws away inboxes without a word.
  if (facts.policy !== '' && facts.policy !== 'noeviction')
    return `Redis may evict keys (maxmemory-policy ${facts.policy}), which would lose messages. Set maxmemory-policy noeviction.`;
  if (facts.role !== 'master' && facts.role !== 'primary')
    return `This Redis is a ${facts.role} and takes no writes. Point REDIS_URL at the primary.`;
  return null;
}

/** What is unwise about such a server, and what to do about it. */
export function warningsOf(facts: ServerFacts): readonly string[] {
  if (!facts.appendOnly)
    return ['Redis keeps no append-only file: messages in flight are lost when it stops. Set appendonly yes.'];
  switch (facts.sync) {
    case 'everysec':
      return [
        'A crash of Redis may lose up to two seconds of acknowledged messages (appendfsync everysec); appendfsync always loses none.',
      ];
    case 'no':
      return [
        'A crash of the machine Redis runs on may lose half a minute of acknowledged messages (appendfsync no); appendfsync always loses none.',
      ];
    default:
      return [];
  }
}

/** Hosted servers often do not tell their settings; that is no fault of theirs. */
async function syncOf(client: RedisClient): Promise<string> {
  try {
    const [, sync = ''] = (await client.config('GET', 'appendfsync')) as string[];
    return sync;
  } catch {
    return '';
  }
}

/** Asks the server about itself. Rejects with what is wrong and what to do. */
export async function checkServer(client: RedisClient): Promise<ServerFacts> {
  let info: string;
  try {
    info = await client.info();
  } catch (thrown) {
    throw unavailable(thrown);
  }
  const facts = parseInfo(info, await syncOf(client));
  const problem = problemOf(facts);
  if (problem !== null) throw new AntlerError('config_invalid', problem);
  return facts;
}
