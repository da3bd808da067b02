import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { AntlerError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import type { Logger } from '../../base/logger.ts';
import { makePrivateFile } from '../../base/private-file.ts';
import { translated } from '../guard.ts';
import { migrate } from '../migrate.ts';
import type { Database, Tables } from '../schema.ts';
import { NodeSqliteDialect } from './dialect.ts';
import { isBusy, sqliteError } from './errors.ts';

/** How long a statement waits, blocking the process, for another process's write to end. Writes take well under 1 ms. */
const busyTimeoutMs = 5_000;
/** How long opening waits for others that are opening or migrating. */
const openPatienceMs = 30_000;
const openPauseMs = 20;

/** Opens the file, made with its folder when it is not there (readable by its owner only), and migrates it. */
export async function openSqlite(file: string, log: Logger, clock: Clock): Promise<Database> {
  const translate = (thrown: unknown): AntlerError => sqliteError(thrown, file);
  const native = await translated(async () => openFile(file), translate);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(native, translate) });
  try {
    // While others open the same file, waiting must not block this process: one of them may live in it.
    await whileBusy(clock, async () => {
      await translated(async () => native.exec('pragma busy_timeout = 0; pragma journal_mode = wal'), translate);
      await migrate(db, log);
    });
    native.exec(`pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = ${busyTimeoutMs}`);
    return db;
  } catch (error) {
    native.close();
    throw error;
  }
}

function openFile(file: string): DatabaseSync {
  makeFolder(dirname(file));
  // SQLite gives its -wal and -shm files the mode of the database.
  makePrivateFile(file);
  return new DatabaseSync(file);
}

async function whileBusy(clock: Clock, work: () => Promise<void>): Promise<void> {
  const deadline = clock.now() + openPatienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || clock.now() >= deadline) throw error;
      await clock.sleep(openPauseMs);
    }
  }
}
