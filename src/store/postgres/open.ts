import { Socket } from 'node:net';
import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { migrate } from '../migrate.ts';
import type { Database, Tables } from '../schema.ts';
import { GuardedPostgresDialect } from './dialect.ts';
import { postgresError } from './errors.ts';
import { keepStatements } from './kept-statements.ts';
import { serverName } from './server.ts';

/** Connections of one process. PostgreSQL's own default allows 100 in all. */
const maxConnections = 10;
/** For a connection, whether a new one or the turn at a busy one. */
const connectTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;
/**
 * A server that vanished without a word (pulled cable, dropped NAT entry) would hold a query for a quarter of an hour,
 * TCP's own patience. Longer than any statement here takes, and than a connection stays idle.
 */
const silenceTimeoutMs = 60_000;
/** OID of `int8`, which `pg` would give as text: https://www.postgresql.org/docs/current/catalog-pg-type.html */
const int8 = 20;

/** Connects, and migrates. `pg` is loaded only here: an installation on SQLite never pays for it. */
export async function openPostgres(url: string, log: Logger): Promise<Database> {
  const server = serverName(url);
  const translate = (thrown: unknown): AntlerError => postgresError(thrown, server);
  const connect = async (silenceMs: number): Promise<Database> => {
    const pool = await connectionPool(url, log, silenceMs);
    return new Kysely<Tables>({ dialect: new GuardedPostgresDialect({ pool }, translate) });
  };

  // Rebuilding a large table, or waiting for another process that does, is silent for as long as it takes.
  const patient = await connect(0);
  try {
    await migrate(patient, log);
  } finally {
    await patient.destroy();
  }
  return connect(silenceTimeoutMs);
}

async function connectionPool(url: string, log: Logger, silenceMs: number): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'antler',
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    stream: () => impatientSocket(silenceMs),
    // Moments in milliseconds and counts: all far below 2^53.
    types: { getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A connection says by an event, too, that it was lost: without listeners that would end the process. The pool
  // forgets the connection, the query that used it rejects, and the next query opens a new one.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'));
  const keep = keepStatements(log);
  pool.on('connect', (client) => {
    keep(client);
    client.on('error', (error) => log.debug({ reason: error.message }, 'database connection lost'));
  });
  return pool;
}

/** A socket that ends after `silenceMs` without a byte either way; 0: never. */
function impatientSocket(silenceMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error('the database server is silent'), { code: 'ETIMEDOUT' }));
  });
  return socket;
}
