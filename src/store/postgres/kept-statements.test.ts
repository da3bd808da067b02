import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import pg from 'pg';
import { silentLogger } from '../../base/logger.ts';
import { postgresForTests, type Service } from '../../testing/services.ts';
import { keepStatements } from './kept-statements.ts';

let postgres: Service;
before(async () => {
  postgres = await postgresForTests();
});
after(() => postgres.stop());

async function connect(t: TestContext): Promise<pg.Client> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  t.after(() => client.end());
  keepStatements(silentLogger)(client);
  return client;
}

const kept = async (client: pg.Client): Promise<number> =>
  Number((await client.query('select count(*) as kept from pg_prepared_statements')).rows[0].kept);

test('a statement is kept once, however often it runs; one without values, or with very many, is not', async (t) => {
  const client = await connect(t);
  for (const n of [1, 2, 3]) assert.deepEqual((await client.query('select $1::int as n', [n])).rows, [{ n }]);
  await client.query('begin');
  await client.query('rollback');
  const many = Array.from({ length: 500 }, (_, n) => n);
  await client.query(`select ${many.map((n) => `$${n + 1}::int`).join(', ')}`, many);
  assert.equal(await kept(client), 1);
});

test('behind a pooler that loses statements everything still runs, whole', async (t) => {
  const client = await connect(t);
  const ask = () => client.query('select $1::text as word', ['hello']);
  await ask();
  await client.query('deallocate all');
  assert.deepEqual((await ask()).rows, [{ word: 'hello' }]);
  assert.deepEqual((await ask()).rows, [{ word: 'hello' }]);
  assert.equal(await kept(client), 0);
});

test('a table that a newer process has changed can be read on', async (t) => {
  const client = await connect(t);
  await client.query('create temporary table things (a int)');
  const ask = () => client.query('select * from things where a > $1', [0]);
  await ask();
  await client.query('alter table things add column b text');
  await client.query('insert into things values (1, $1)', ['x']);
  assert.deepEqual((await ask()).rows, [{ a: 1, b: 'x' }]);
});

test('a mistake in a statement is told as ever', async (t) => {
  const client = await connect(t);
  await assert.rejects(client.query('select $1::int / 0', [1]), { code: '22012' });
  await assert.rejects(client.query('select nothing from nowhere where a = $1', [1]), { code: '42P01' });
});
