import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

/** Where Kysely's migrator notes what it has run. */
interface MigrationTables {
  kysely_migration: { name: string };
}

/**
 * Brings the database to the newest migration. Any number of processes may do so at once: one works under the
 * database's lock, the others wait and find it done. Rejects with `config_invalid` when a newer Antler has been here.
 */
export async function migrate(db: Database, log: Logger): Promise<void> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !(name in migrations));
  if (unknown.length > 0)
    throw new AntlerError(
      'config_invalid',
      `The database was made by a newer Antler (it knows ${unknown.join(', ')}). Run that version, or restore a backup from before the upgrade.`,
    );
  if (applied.length === Object.keys(migrations).length) return;

  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  for (const { migrationName } of results) log.info({ migration: migrationName }, 'database migrated');
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const bookkeeping = db as unknown as Kysely<MigrationTables>;
  try {
    const rows = await bookkeeping.selectFrom('kysely_migration').select('name').execute();
    return rows.map((row) => row.name);
  } catch (error) {
    // No such table: a new database. Whatever else was not found, the migrator is about to find missing, too.
    if (error instanceof AntlerError && error.code === 'not_found') return [];
    throw error;
  }
}
