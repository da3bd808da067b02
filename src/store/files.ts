import { webcrypto } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { FileId } from '../base/ids.ts';
import type { FileMeta, Files } from './port.ts';
import type { Database, Tables } from './schema.ts';
import { storable } from './text.ts';

/** Of one row: what a statement carries stays small, on SQLite so does the time for which it blocks the process. */
const CHUNK_BYTES = 1_000_000;
/** Files that are deleted in one statement. */
const DELETED_AT_ONCE = 50;

const columns = [
  'id',
  'thread',
  'channel',
  'chat',
  'owner',
  'direction',
  'kind',
  'name',
  'mime',
  'bytes',
  'sha256',
  'created_at as createdAt',
] as const;

/** Files with their bytes, in pieces. A file is there with all of them or not at all. */
export function files(db: Database): Files {
  async function get(id: FileId): Promise<FileMeta | null> {
    const row = await db.selectFrom('files').select(columns).where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : { ...row };
  }

  return {
    get,

    async put(file, content) {
      const { createdAt, ...rest } = file;
      const name = storable(file.name);
      const meta: FileMeta = { ...file, name, bytes: content.byteLength, sha256: await sha256(content) };
      const { bytes, sha256: digest } = meta;
      const isNew = await db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows: inserted = 0n } = await transaction
          .insertInto('files')
          .values({ ...rest, name, bytes, sha256: digest, created_at: createdAt })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst();
        if (inserted > 0n) await insertChunks(transaction, file.id, content);
        return inserted > 0n;
      });
      return isNew ? meta : ((await get(file.id)) ?? meta);
    },

    async read(id) {
      const file = await get(id);
      if (file === null) return null;
      const rows = await db
        .selectFrom('file_chunks')
        .select('content')
        .where('file', '=', id)
        .orderBy('position')
        .execute();
      const content = Buffer.concat(rows.map((row) => row.content));
      return content.byteLength === file.bytes ? content : null; // it was deleted meanwhile
    },

    async list(thread) {
      const rows = await db
        .selectFrom('files')
        .select(columns)
        .where('thread', '=', thread)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({ ...row }));
    },

    async deleteBefore(moment) {
      for (let deleted = 0; ; ) {
        const { numDeletedRows } = await db
          .deleteFrom('files')
          .where('id', 'in', (eb) =>
            eb.selectFrom('files as old').select('old.id').where('old.created_at', '<', moment).limit(DELETED_AT_ONCE),
          )
          .executeTakeFirst();
        deleted += Number(numDeletedRows);
        if (numDeletedRows < DELETED_AT_ONCE) return deleted;
      }
    },
  };
}

async function insertChunks(transaction: Transaction<Tables>, file: FileId, content: Uint8Array): Promise<void> {
  for (let position = 0; position * CHUNK_BYTES < content.byteLength; position++) {
    const chunk = content.subarray(position * CHUNK_BYTES, (position + 1) * CHUNK_BYTES);
    await transaction.insertInto('file_chunks').values({ file, position, content: chunk }).execute();
  }
}

/** Off the main thread: a large file would hold everybody else up. */
async function sha256(content: Uint8Array): Promise<string> {
  const digest = await webcrypto.subtle.digest('SHA-256', new Uint8Array(content));
  return Buffer.from(digest).toString('hex');
}
