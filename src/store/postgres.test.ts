import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { AntlerError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { freePort, postgresForTests } from '../testing/services.ts';
import { failsWith, newThread, say, somewhere, startRun } from './contract/fixture.ts';
import { storeContract } from './contract.ts';
import { openStore } from './index.ts';
import { newestCommitted } from './log.ts';
import type { Store } from './port.ts';
import { postgresError } from './postgres/errors.ts';
import { openPostgres } from './postgres/open.ts';
import { serverName } from './postgres/server.ts';

const server = await postgresForTests();
after(() => server.stop());

const open = (url: string): Promise<Store> => openStore({ url, log: silentLogger });

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The test server's URL with some parts changed. */
function urlWith(change: (url: URL) => void): string {
  const url = new URL(server.url);
  change(url);
  return url.href;
}

let databases = 0;
async function emptyDatabase(): Promise<string> {
  const name = `${new URL(server.url).pathname.slice(1)}_${++databases}`;
  await withClient(server.url, (client) => client.query(`create database ${name}`));
  return urlWith((url) => {
    url.pathname = `/${name}`;
  });
}

storeContract('a store on PostgreSQL', {
  empty: async () => ({ url: await emptyDatabase() }),
  async execute(place, statement) {
    assert.ok('url' in place);
    await withClient(place.url, (client) => client.query(statement));
  },
  histories: 25,
});

/** Stands between a store and the server, so that the server can go away and come back at the same address. */
class Wire {
  readonly url: string;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #listener: Server | undefined;

  private constructor(port: number, database: string) {
    this.#port = port;
    const url = new URL(database);
    url.port = String(port);
    this.url = url.href;
  }

  static async open(database: string): Promise<Wire> {
    const wire = new Wire(await freePort(), database);
    await wire.mend();
    return wire;
  }

  async mend(): Promise<void> {
    const target = new URL(server.url);
    const listener = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      }
    });
    this.#listener = listener;
    await new Promise<void>((resolve) => listener.listen(this.#port, '127.0.0.1', resolve));
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#listener?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

describe('PostgreSQL', () => {
  test('a restart is survived: what was under way fails as retryable, the next query reconnects', async () => {
    const database = await emptyDatabase();
    const wire = await Wire.open(database);
    const store = await open(wire.url);
    const key = somewhere();
    const thread = await store.threads.open(key);

    await withClient(database, async (client) => {
      await client.query('begin');
      await client.query('lock table threads');
      const waiting = assert.rejects(store.threads.open(key), isRetryable);
      while ((await client.query('select 1 from pg_locks where not granted')).rowCount === 0);
      await wire.cut();
      await waiting;
      await client.query('rollback');
    });
    await assert.rejects(store.check(), isRetryable);
    await wire.mend();
    await store.check();
    assert.deepEqual(await store.threads.open(key), thread);
    await store.close();
    await wire.cut();
  });

  test('an administrator who ends all sessions does not end the process', async () => {
    const database = await emptyDatabase();
    const store = await open(database);
    await Promise.all([store.check(), store.check(), store.check()]);
    await withClient(server.url, (client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        new URL(database).pathname.slice(1),
      ]),
    );
    for (let failures = 0; ; failures++) {
      const passed = await store.check().then(
        () => true,
        (error) => assert.ok(isRetryable(error)),
      );
      if (passed === true) break;
      assert.ok(failures < 10);
    }
    await store.close();
  });

  test('no server, no such user, no such database: each is told apart, and no password is shown', async () => {
    const closed = await freePort();
    const cases = [
      ['unavailable', (url: URL) => (url.port = String(closed)), /cannot be reached \(ECONNREFUSED\)/],
      ['unauthorized', (url: URL) => (url.username = 'nobody'), /refuses user "nobody"/],
      ['not_found', (url: URL) => (url.pathname = '/nowhere'), /createdb nowhere/],
    ] as const;
    for (const [code, change, says] of cases) {
      const url = urlWith((url) => {
        url.password = 'hunter2';
        change(url);
      });
      await assert.rejects(open(url), (error) => {
        assert.ok(error instanceof AntlerError);
        assert.equal(error.code, code);
        assert.match(error.message, says);
        assert.equal(error.retryable, code === 'unavailable');
        assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /hunter2/);
        return true;
      });
    }
  });

  for (const url of [
    'mysql://antler:hunter2@db/antler',
    'postgres://antler:hunter2@db:port/antler',
    'postgres://antler:hunter2%@db/antler',
    'hunter2',
  ])
    test(`a URL that is none is refused without repeating it: ${url}`, async () => {
      await assert.rejects(open(url), (error) => {
        assert.ok(failsWith('config_invalid')(error));
        assert.doesNotMatch(inspect(error, { depth: 9 }), /hunter2/);
        return true;
      });
    });

  test('a database that may only be read fails its check', async () => {
    const database = await emptyDatabase();
    await (await open(database)).close();
    await withClient(server.url, (client) =>
      client.query(`alter database ${new URL(database).pathname.slice(1)} set default_transaction_read_only = on`),
    );
    const store = await open(database);
    await assert.rejects(store.check(), /read-only/);
    await store.close();
  });

  test('the newest entries are found by index, even before the server has statistics', async () => {
    const database = await emptyDatabase();
    const store = await open(database);
    const thread = await newThread(store);
    const run = await startRun(store, thread);
    await store.log.append(
      thread,
      run,
      Array.from({ length: 3_000 }, (_, n) => say(`${n}`)),
    );
    await store.runs.settle(thread, run);
    await store.close();

    const db = await openPostgres(database, silentLogger);
    const plan = await newestCommitted(db, thread, 20).explain('json', sql`analyze`);
    const reads = [...nodes(plan)].filter((node) => node['Relation Name'] === 'log_entries');
    assert.ok(reads.length > 0);
    for (const read of reads) {
      assert.notEqual(read['Node Type'], 'Seq Scan');
      assert.ok(Number(read['Actual Rows']) <= 90, `${read['Node Type']} reads ${read['Actual Rows']} rows`);
    }
    await db.destroy();
  });

  const failures = [
    ['ECONNREFUSED', '', 'unavailable', true],
    ['', 'Connection terminated unexpectedly', 'unavailable', true],
    ['', 'timeout exceeded when trying to connect', 'unavailable', true],
    ['', 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'unauthorized', false],
    ['', 'The server does not support SSL connections', 'config_invalid', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate', 'config_invalid', false],
    ['28P01', 'password authentication failed for user "antler"', 'unauthorized', false],
    ['42501', 'permission denied for table runs', 'forbidden', false],
    ['53100', 'could not extend file', 'unavailable', true],
    ['53300', 'sorry, too many clients already', 'unavailable', true],
    ['57P03', 'the database system is starting up', 'unavailable', true],
    ['57014', 'canceling statement due to statement timeout', 'timeout', true],
    ['40P01', 'deadlock detected', 'unavailable', true],
    ['23505', 'duplicate key value violates unique constraint', 'conflict', false],
    ['42601', 'syntax error', 'internal', false],
  ] as const;
  for (const [sqlState, message, code, retryable] of failures)
    test(`error ${sqlState || message} is ${code}`, () => {
      const thrown = Object.assign(new Error(message), { code: sqlState, detail: 'Failing row contains (dear diary)' });
      const error = postgresError(thrown, serverName('postgres://antler:hunter2@db/antler'));
      assert.equal(error.code, code);
      assert.equal(error.retryable, retryable);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /dear diary|hunter2/);
    });

  test('what a message shows of a URL', () => {
    assert.deepEqual(serverName('postgres://ann:s%40cret@db.example.com/antler?sslmode=require'), {
      address: 'db.example.com:5432',
      user: 'ann',
      database: 'antler',
    });
    assert.equal(serverName('postgresql://ann@/antler?host=/var/run/postgresql').address, '/var/run/postgresql');
  });
});

function isRetryable(error: unknown): boolean {
  return error instanceof AntlerError && error.code === 'unavailable' && error.retryable;
}

/** Every object within what EXPLAIN answers, however deep. */
function* nodes(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Readonly<Record<string, unknown>>;
  for (const part of Object.values(value)) yield* nodes(part);
}
