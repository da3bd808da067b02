import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Logger } from '../../base/logger.ts';

/** Longer ones insert many rows; each number of rows is a statement of its own, and the server keeps all it is given. */
const MOST_CHARACTERS = 2_000;

const NO_SUCH_STATEMENT = '26000';
const STATEMENT_EXISTS = '42P05';
/** Also said of other things, hence the message. */
const UNSUPPORTED = '0A000';

type Query = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * Makes connections keep the statements that they run. The server plans each once, which takes longer than to carry most
 * of them out. Where that does not work (a pooler such as PgBouncer hands a session's work to several connections, a
 * migration has changed a table), statements are run as they come from then on.
 */
export function keepStatements(log: Logger): (client: ClientBase) => void {
  let keeps = true;
  return (client) => {
    const query: Query = client.query.bind(client) as Query;
    const kept = async (text: string, values: readonly unknown[]): Promise<unknown> => {
      try {
        return await query({ name: nameOf(text), text, values });
      } catch (error) {
        if (!isLost(error)) throw error;
        if (keeps) log.info({ reason: error.message }, 'the database does not keep statements; they are sent whole');
        keeps = false;
        return query(text, values);
      }
    };
    const run: Query = (text, values, ...rest) => {
      const mayKeep = keeps && typeof text === 'string' && text.length <= MOST_CHARACTERS && rest.length === 0;
      return mayKeep && Array.isArray(values) && values.length > 0 ? kept(text, values) : query(text, values, ...rest);
    };
    client.query = run as typeof client.query;
  };
}

/** The same in every process, so that one name never stands for two statements on a connection that is shared. */
const nameOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

/** Was the statement not even begun, because it is not kept as we believe? */
function isLost(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (error.code === UNSUPPORTED) return error.message.startsWith('cached plan');
  return error.code === NO_SUCH_STATEMENT || error.code === STATEMENT_EXISTS;
}
