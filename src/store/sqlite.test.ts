import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { newThreadId } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import { failsWith } from './contract/fixture.ts';
import { storeContract } from './contract.ts';
import { openStore } from './index.ts';
import { newestCommitted } from './log.ts';
import type { Store } from './port.ts';
import { sqliteError } from './sqlite/errors.ts';
import { openSqlite } from './sqlite/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'antler-store-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => join(folder, `data-${++files}`, 'antler.db');
const open = (file: string): Promise<Store> => openStore({ file, log: silentLogger });

storeContract('a store on SQLite', {
  empty: async () => ({ file: newFile() }),
  async execute(place, statement) {
    assert.ok('file' in place);
    const database = new DatabaseSync(place.file);
    database.exec(statement);
    database.close();
  },
  histories: 100,
});

describe('SQLite', () => {
  test('the file, its companions and its folder are the owner’s alone; closing leaves just the file', async () => {
    const file = newFile();
    const store = await open(file);
    await store.settings.set('key', 'value');
    const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    assert.equal(mode(dirname(file)), '700');
    assert.deepEqual([file, `${file}-wal`, `${file}-shm`].map(mode), ['600', '600', '600']);
    await store.close();
    assert.equal(existsSync(`${file}-wal`), false);
  });

  test('the newest entries are found by index, without a scan or a sort', async () => {
    const db = await openSqlite(newFile(), silentLogger, systemClock);
    const plan = await newestCommitted(db, newThreadId(), 200).explain(undefined, sql`query plan`);
    assert.ok(plan.length > 0);
    assert.doesNotMatch(JSON.stringify(plan), /SCAN |TEMP B-TREE/);
    await db.destroy();
  });

  test('a transaction keeps other queries out, and is undone when it fails', async () => {
    const db = await openSqlite(newFile(), silentLogger, systemClock);
    const insert = (on: typeof db, key: string) =>
      on.insertInto('settings').values({ key, value: '1', updated_at: 1 }).execute();
    let during: Promise<unknown> = Promise.resolve();
    const failed = db.transaction().execute(async (transaction) => {
      await insert(transaction, 'inside');
      during = insert(db, 'outside');
      await insert(transaction, 'inside too');
      throw new Error('changed my mind');
    });
    await assert.rejects(failed, /changed my mind/);
    await during;
    assert.deepEqual(
      await db
        .selectFrom('settings')
        .select('key')
        .execute()
        .then((rows) => rows.map((row) => row.key)),
      ['outside'],
    );
    await db.destroy();
  });

  test('a file that is no database, and a folder that is a file, are named as what they are', async () => {
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'just some text, long enough to be read as a header of a database'.repeat(20));
    await assert.rejects(open(text), failsWith('config_invalid'));
    await assert.rejects(open(join(text, 'antler.db')), failsWith('config_invalid'));
    mkdirSync(join(folder, 'a-folder'));
    await assert.rejects(open(join(folder, 'a-folder')), failsWith('config_invalid'));
  });

  test('a table that is gone is an error of ours, not of the library', async () => {
    const file = newFile();
    const store = await open(file);
    const vandal = new DatabaseSync(file);
    vandal.exec('drop table settings');
    vandal.close();
    await assert.rejects(store.check(), (error) => error instanceof AntlerError);
    await store.close();
  });

  const failures = [
    [5, 'database is locked', 'unavailable', true, /locked by another process/],
    [517, 'database is locked', 'unavailable', true, /locked by another process/],
    [8, 'attempt to write a readonly database', 'unavailable', true, /write permission/],
    [13, 'database or disk is full', 'unavailable', true, /disk is full/],
    [10, 'disk I/O error', 'unavailable', true, /disk fails/],
    [11, 'database disk image is malformed', 'internal', false, /restore a backup/],
    [14, 'unable to open database file', 'unavailable', true, /cannot be opened/],
    [787, 'FOREIGN KEY constraint failed', 'not_found', false, /not in the database/],
    [1555, 'UNIQUE constraint failed: runs.id', 'conflict', false, /UNIQUE/],
    [1299, 'NOT NULL constraint failed: runs.id', 'internal', false, /NOT NULL/],
  ] as const;
  for (const [errcode, message, code, retryable, says] of failures)
    test(`error ${errcode} is ${code}`, () => {
      const error = sqliteError(
        Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode }),
        '/d/antler.db',
      );
      assert.equal(error.code, code);
      assert.equal(error.retryable, retryable);
      assert.match(error.message, says);
    });

  test('a full disk fails with a message that says so', async () => {
    const file = newFile();
    const store = await open(file);
    await store.settings.set('first', 'x');
    await store.close();
    const db = await openSqlite(file, silentLogger, systemClock);
    await sql`pragma max_page_count = 1`.execute(db); // SQLite takes the present size when it is more
    const value = 'x'.repeat(100_000);
    const insert = db.insertInto('settings').values({ key: 'second', value, updated_at: 1 });
    await assert.rejects(insert.execute(), /disk is full/);
    await db.destroy();
  });
});
