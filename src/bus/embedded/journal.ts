import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { AntlerError, asAntlerError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import { makePrivateFile } from '../../base/private-file.ts';
import { migrations } from './schema.ts';

/** By place, or by name. */
type Values = SQLInputValue[] | [Record<string, SQLInputValue>];

/** A prepared statement whose rows have the shape that its columns say. */
export interface Statement<Row> {
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  /** Row by row; the statement must not be used again before the end, or before the loop is left. */
  iterate(...values: Values): Iterable<Row>;
  /** The number of rows changed. */
  run(...values: Values): number;
}

/** The bus's file: statements, and writes that are committed together. */
export interface Journal {
  prepare<Row = never>(sql: string): Statement<Row>;
  /**
   * Runs `step` in one transaction with all other steps of this turn of the event loop, and resolves once that is
   * committed. A step only uses statements: it is run again, by itself, when another step of the transaction fails.
   * What follows the await runs before any later transaction.
   */
  write<Result>(step: () => Result): Promise<Result>;
  /** Calls `forget` whenever a transaction was undone, before anything else runs: what was kept of it is not so. */
  onUndone(forget: () => void): void;
  /** Gives up to `pages` unused pages of the file back to the disk; answers how many are left. */
  trim(pages: number): number;
  /** Commits what is pending and closes the file. Writes are refused from now on. */
  close(): void;
}

interface Pending {
  readonly attempt: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens the file and keeps everybody else out of it.
 *
 * @throws AntlerError `conflict` when another process has it, `config_invalid` when it cannot be used.
 */
export function openJournal(file: string): Journal {
  const database = openDatabase(file);
  let pending: Pending[] = [];
  let closed = false;
  const forgets: (() => void)[] = [];

  const transact = (work: () => void): void => {
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      // Some failures (a full disk) have rolled back already.
      if (database.isTransaction) database.exec('ROLLBACK');
      for (const forget of forgets) forget();
      throw error;
    }
  };

  const flush = (): void => {
    if (pending.length === 0) return;
    const batch = pending;
    pending = [];
    try {
      transact(() => {
        for (const one of batch) one.attempt();
      });
      for (const one of batch) one.resolve();
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0) {
        only?.reject(failed(error));
        return;
      }
      // One of them is to blame; each by itself, so that only that one fails.
      for (const one of batch) {
        try {
          transact(one.attempt);
          one.resolve();
        } catch (own) {
          one.reject(failed(own));
        }
      }
    }
  };

  const freePages = database.prepare('PRAGMA freelist_count');

  return {
    prepare: <Row>(sql: string): Statement<Row> => {
      const statement = database.prepare(sql);
      // Node's own types have the two ways of naming values as overloads, which a union does not fit.
      const given = (values: Values): SQLInputValue[] => values as SQLInputValue[];
      return {
        // The schema is ours and strict, so that a row's shape is known from its statement.
        get: (...values) => statement.get(...given(values)) as Row | undefined,
        all: (...values) => statement.all(...given(values)) as Row[],
        iterate: (...values) => statement.iterate(...given(values)) as Iterable<Row>,
        run: (...values) => Number(statement.run(...given(values)).changes),
      };
    },
    write: <Result>(step: () => Result) => {
      if (closed) return Promise.reject(closedError());
      return new Promise<Result>((resolve, reject) => {
        let result: Result;
        pending.push({
          attempt: () => {
            result = step();
          },
          resolve: () => resolve(result),
          reject,
        });
        if (pending.length === 1) setImmediate(flush);
      });
    },
    onUndone: (forget) => {
      forgets.push(forget);
    },
    trim: (pages) => {
      if (closed) throw closedError();
      // Nought would mean all of them. The file itself gets shorter only when the log is written into it.
      if (pages >= 1) database.exec(`PRAGMA incremental_vacuum(${Math.trunc(pages)}); PRAGMA wal_checkpoint(TRUNCATE)`);
      return Number(freePages.get()?.freelist_count ?? 0);
    },
    close: () => {
      if (closed) return;
      closed = true;
      flush();
      database.close();
    },
  };
}

export function closedError(): AntlerError {
  return new AntlerError('unavailable', 'The bus is closed.', { retryable: true });
}

/** SQLite's result codes; the bits above the lowest eight only say how it came to that. */
const SQLITE_BUSY = 5;
/** Out of memory, an I/O error, a full disk, a file that cannot be opened: may be better in a while. */
const PASSING = new Set([SQLITE_BUSY, 7, 10, 13, 14]);

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

function failed(error: unknown): AntlerError {
  if (!PASSING.has(codeOf(error))) return asAntlerError(error);
  const { message } = asAntlerError(error);
  return new AntlerError('unavailable', `The bus could not write its file: ${message}.`, {
    retryable: true,
    cause: error,
  });
}

function openDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  makeFolder(dirname(file));
  try {
    makePrivateFile(file); // its -wal gets the same mode
    database = new DatabaseSync(file, { timeout: 0 });
    // The exclusive lock is the operating system's and dies with its process, however that dies. It has to be asked
    // for before the file is touched; SQLite then needs no shared memory beside it.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    makeShrinkable(database);
    // With WAL and NORMAL a commit survives the end of the process, not always a power cut.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${WAL_BYTES};
      PRAGMA cache_size = -${CACHE_KIB}`);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw openError(file, error);
  }
}

/** What stays of the log of a large transaction, once it is in the file. */
const WAL_BYTES = 4 * 1024 * 1024;
/** Pages that are kept in memory, in KiB: SQLite's own 2 MB hold less than what a busy hour goes back to. */
const CACHE_KIB = 16 * 1024;
/** `auto_vacuum`: unused pages are given back when they are asked for. */
const INCREMENTAL = 2;

/** Has to be decided before the first table is made; later only all of the file can be written anew. */
function makeShrinkable(database: DatabaseSync): void {
  const before = Number(database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum ?? 0);
  if (before === INCREMENTAL) return;
  database.exec(`PRAGMA auto_vacuum = ${INCREMENTAL}`);
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables ?? 0);
  if (tables > 0) database.exec('VACUUM');
}

function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > migrations.length)
    throw new AntlerError('config_invalid', `it was written by a newer Antler (version ${version} of the tables)`);
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
}

function openError(file: string, error: unknown): AntlerError {
  if (codeOf(error) === SQLITE_BUSY)
    return new AntlerError(
      'conflict',
      `another Antler runs on this data folder (${dirname(file)}); stop it, or give this one a data_dir of its own`,
      { cause: error },
    );
  const { message } = asAntlerError(error);
  return new AntlerError('config_invalid', `The bus cannot use its file ${file}: ${message}.`, { cause: error });
}
