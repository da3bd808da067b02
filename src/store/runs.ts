import { sql } from 'kysely';
import type { RunId } from '../base/ids.ts';
import type { RunRecord, RunStatus, Runs } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

const columns = [
  'id',
  'thread',
  'assistant',
  'model',
  'first_seq as firstSeq',
  'started_at as startedAt',
  'status',
  'ended_at as endedAt',
  'result',
  'error_code as errorCode',
  'error_detail as errorDetail',
  'input_tokens as inputTokens',
  'output_tokens as outputTokens',
] as const;

/** Written into the statement, not bound: only so SQLite sees that the index on unsettled runs answers it. */
const committedStatus = sql.lit<RunStatus>('committed');

/** What no run is called. */
const noRun = '' as RunId;

/** The runs of threads. A run's log entries count from the moment its status is `committed`. */
export function runs(db: Database): Runs {
  return {
    async start(run) {
      await db
        .insertInto('runs')
        .values({
          id: run.id,
          thread: run.thread,
          status: 'running',
          assistant: run.assistant,
          model: run.model,
          first_seq: run.firstSeq,
          started_at: run.startedAt,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    async end(id, end) {
      await db
        .updateTable('runs')
        .set({
          ended_at: end.endedAt,
          result: end.result,
          error_code: end.errorCode ?? null,
          error_detail: end.errorDetail === undefined ? null : storable(end.errorDetail),
          input_tokens: end.inputTokens,
          output_tokens: end.outputTokens,
        })
        .where('id', '=', id)
        .execute();
    },

    async settle(thread, committed) {
      // The bus alone knows what was committed. Its word also revives a run that a worker which had lost the thread
      // settled as abandoned meanwhile; nothing ever takes `committed` back.
      const last = committed ?? noRun;
      await db
        .updateTable('runs')
        .set((eb) => ({
          status: eb.case().when('id', '=', last).then<RunStatus>('committed').else<RunStatus>('abandoned').end(),
        }))
        .where('thread', '=', thread)
        .where('status', '<>', committedStatus)
        .where((eb) => eb.or([eb('status', '=', 'running'), eb('id', '=', last)]))
        .execute();
    },

    async get(id) {
      const row = await db.selectFrom('runs').select(columns).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : { ...row };
    },

    async list(thread, limit) {
      const rows = await db
        .selectFrom('runs')
        .select(columns)
        .where('thread', '=', thread)
        .orderBy('started_at', 'desc')
        .orderBy('first_seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row): RunRecord => ({ ...row }));
    },

    async addEvents(id, events) {
      if (events.length === 0) return;
      await db
        .insertInto('run_events')
        .values(
          events.map((event) => ({
            run: id,
            seq: event.seq,
            at: event.at,
            type: event.type,
            data: JSON.stringify(event.data ?? null),
          })),
        )
        .onConflict((conflict) => conflict.columns(['run', 'seq']).doNothing())
        .execute();
    },

    async events(id) {
      const rows = await db
        .selectFrom('run_events')
        .select(['seq', 'at', 'type', 'data'])
        .where('run', '=', id)
        .orderBy('seq')
        .execute();
      return rows.map((row) => ({ seq: row.seq, at: row.at, type: row.type, data: JSON.parse(row.data) as unknown }));
    },
  };
}
