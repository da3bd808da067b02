import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { AntlerError } from '../base/errors.ts';

/** Says in Antler's words what a database library threw. */
export type Translate = (thrown: unknown) => AntlerError;

/** Runs `work`; what it throws comes out as an {@link AntlerError}. */
export async function translated<Result>(work: () => Promise<Result>, translate: Translate): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw translate(thrown);
  }
}

const guarded = new WeakSet<DatabaseConnection>();

/**
 * Makes a connection throw translated errors, so that no repository sees a library's own. It stays the same object,
 * because the driver that made it knows it by identity.
 */
export function guard(connection: DatabaseConnection, translate: Translate): DatabaseConnection {
  if (guarded.has(connection)) return connection;
  guarded.add(connection);
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
    translated(() => execute<Row>(query), translate);
  return connection;
}
