import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresForTests, redisForTests } from './services.ts';

test('a real Redis and a real PostgreSQL answer', async (t) => {
  const redis = await redisForTests();
  t.after(() => redis.stop());
  const { Redis } = await import('ioredis');
  const client = new Redis(redis.url);
  assert.equal(await client.ping(), 'PONG');
  client.disconnect();

  const postgres = await postgresForTests();
  t.after(() => postgres.stop());
  const { default: pg } = await import('pg');
  const session = new pg.Client({ connectionString: postgres.url });
  await session.connect();
  assert.equal((await session.query('select 1 as one')).rows[0].one, 1);
  await session.end();
});
