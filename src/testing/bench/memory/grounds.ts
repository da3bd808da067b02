import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { silentLogger } from '../../../base/logger.ts';
import { openStore } from '../../../store/index.ts';
import type { Store } from '../../../store/port.ts';
import { startPostgres } from '../../services.ts';
import { filling, type Size, type Speech } from './fill.ts';

/** A database with people in it. */
export interface Ground {
  readonly name: 'PostgreSQL' | 'SQLite';
  readonly store: Store;
  /** Of the database. */
  readonly bytes: number;
  close(): Promise<void>;
}

const SQLITE: Speech = {
  series: (most) =>
    `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${most}) select n from counted) as numbers`,
  array: 'json_array',
  group: 'json_group_array',
};
const POSTGRES: Speech = {
  series: (most) => `generate_series(1, ${most}) as n`,
  array: 'json_build_array',
  group: 'json_agg',
};

export async function sqliteGround(size: Size): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bench-memory-'));
  const file = join(folder, 'antler.db');
  await (await openStore({ file, log: silentLogger })).close();
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; pragma cache_size = -500000');
  for (const statement of filling(size, SQLITE)) database.exec(statement);
  database.close();
  const store = await openStore({ file, log: silentLogger });
  return {
    ...{ name: 'SQLite', store, bytes: statSync(file).size },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With the memory that PostgreSQL's manual recommends for a server of its own, at 4 GB: a quarter. */
const MEMORY = [
  '-c',
  'shared_buffers=1GB',
  '-c',
  'maintenance_work_mem=512MB',
  '-c',
  'max_wal_size=8GB',
  '-c',
  'work_mem=256MB',
];

export async function postgresGround(size: Size): Promise<Ground> {
  const server = await startPostgres({ args: MEMORY });
  await (await openStore({ url: server.url, log: silentLogger })).close();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of filling(size, POSTGRES)) await client.query(statement);
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  await client.end();
  const store = await openStore({ url: server.url, log: silentLogger });
  return {
    ...{ name: 'PostgreSQL', store, bytes: Number(rows[0]?.bytes ?? 0) },
    close: async () => {
      await store.close();
      await server.stop();
    },
  };
}
