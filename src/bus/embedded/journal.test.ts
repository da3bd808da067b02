import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { type Journal, openJournal } from './journal.ts';

function newFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'antler-journal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'bus.db');
}

const keysOf = (journal: Journal): string[] =>
  journal
    .prepare<{ key: string }>('SELECT key FROM seen ORDER BY key')
    .all()
    .map((row) => row.key);

describe('journal', () => {
  it('keeps its file from other users of the machine', (t) => {
    const file = newFile(t);
    const journal = openJournal(file);
    t.after(() => journal.close());
    for (const name of readdirSync(dirname(file)))
      assert.equal(statSync(join(dirname(file), name)).mode & 0o777, 0o600, name);
  });

  it('commits what is asked for together, and fails only what is to blame', async (t) => {
    const journal = openJournal(newFile(t));
    const insert = journal.prepare('INSERT INTO seen(key, at) VALUES (?, ?)');
    const writes = ['a', 'b', 'a', 'c'].map((key) => journal.write(() => insert.run(key, 1)));
    const results = await Promise.allSettled([
      ...writes,
      journal.write(() => {
        insert.run('half', 1);
        throw new AntlerError('bad_input', 'no');
      }),
    ]);
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.deepEqual(keysOf(journal), ['a', 'b', 'c']);
    journal.close();
  });

  it('writes what is pending when it is closed, and nothing afterwards', async (t) => {
    const file = newFile(t);
    const journal = openJournal(file);
    const insert = journal.prepare('INSERT INTO seen(key, at) VALUES (?, ?)');
    const pending = journal.write(() => insert.run('pending', 1));
    journal.close();
    journal.close();
    assert.equal(await pending, 1);
    await assert.rejects(
      journal.write(() => insert.run('late', 1)),
      { code: 'unavailable', retryable: true },
    );
    const again = openJournal(file);
    assert.deepEqual(keysOf(again), ['pending']);
    again.close();
  });

  it('keeps everybody else out, and says so', (t) => {
    const file = newFile(t);
    const journal = openJournal(file);
    assert.throws(() => openJournal(file), {
      name: 'AntlerError',
      code: 'conflict',
      message: /another Antler runs on this data folder/,
    });
    journal.close();
    openJournal(file).close();
  });

  it('refuses a file that is none of ours, and leaves it as it is', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'antler-journal-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'bus.db');
    writeFileSync(file, 'not a database, but somebody needs it '.repeat(100));
    assert.throws(() => openJournal(file), { code: 'config_invalid', message: /not a database/ });
    assert.throws(() => openJournal(join(file, 'below', 'bus.db')), { code: 'config_invalid' });
  });

  it('refuses the file of a newer version', (t) => {
    const file = newFile(t);
    openJournal(file).close();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    assert.throws(() => openJournal(file), { code: 'config_invalid', message: /newer Antler/ });
  });
});
