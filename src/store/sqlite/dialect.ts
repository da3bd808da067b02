import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { BoundedMap } from '../../base/bounded-map.ts';
import { guard, type Translate } from '../guard.ts';

/** Kysely's SQLite dialect, on the SQLite that Node itself carries. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #translate: Translate;

  constructor(database: DatabaseSync, translate: Translate) {
    const cached = cachingStatements(database);
    super({ database: cached });
    this.#database = cached;
    this.#translate = translate;
  }

  override createDriver(): SqliteDriver {
    return new NodeSqliteDriver(this.#database, this.#translate);
  }

  override createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }
}

/**
 * `supportsMultipleConnections` stays false, by which Kysely hands the one connection to one query or transaction at
 * a time: nothing slips into somebody else's transaction.
 */
class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite rolls schema changes back like any other; the migrator's transaction is its lock between processes. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #translate: Translate;

  constructor(database: SqliteDatabase, translate: Translate) {
    super({ database });
    this.#translate = translate;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return guard(await super.acquireConnection(), this.#translate);
  }

  /** Takes the write lock at once: a transaction that read first could not wait for it any more (SQLITE_BUSY_SNAPSHOT). */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** More than Antler's code has statements; multi-row inserts differ by their number of rows. */
const keptStatements = 200;

/** What Kysely expects of a SQLite library. Preparing a statement costs more than running it, so they are kept. */
function cachingStatements(database: DatabaseSync): SqliteDatabase {
  const kept = new BoundedMap<string, SqliteStatement>(keptStatements);
  return {
    close: () => database.close(),
    prepare(sql) {
      let statement = kept.get(sql);
      if (statement === undefined) {
        statement = prepare(database, sql);
        kept.set(sql, statement);
      }
      return statement;
    },
  };
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindable(parameters)),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
  };
}

/** The tables' types admit numbers, text and null only; anything else is refused by `node:sqlite` itself. */
const bindable = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
