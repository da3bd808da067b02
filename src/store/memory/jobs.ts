import { sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { JobEnd, MemoryJob, MemoryJobs } from './port.ts';

/** Looked at when one is claimed: others may take some of them first. */
const CANDIDATES = 16;

/** Conversations that are to be looked through. */
export function memoryJobs(db: Database): MemoryJobs {
  /** Null: somebody else took it. */
  async function take(
    { subject, thread }: Pick<MemoryJob, 'subject' | 'thread'>,
    holder: string,
    at: number,
    until: number,
  ): Promise<MemoryJob | null> {
    const row = await db
      .updateTable('memory_jobs')
      .set({ holder, lease_until: until })
      .where('subject', '=', subject)
      .where('thread', '=', thread)
      .where('due_at', '<=', at)
      .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', at)]))
      .returning([
        ...(['subject', 'thread', 'im_user as imUser', 'channel', 'chat', 'chat_kind as chatKind'] as const),
        ...(['assistant', 'language', 'read_to as readTo', 'attempts', 'notices'] as const),
      ])
      .executeTakeFirst();
    return row === undefined ? null : { ...row, holder };
  }

  return {
    async notice({ imUser, chatKind, ...notice }, at, { debounceMs, maxWaitMs }) {
      await db
        .insertInto('memory_jobs')
        .values({
          ...notice,
          im_user: imUser,
          chat_kind: chatKind,
          read_to: null,
          notices: 1,
          first_at: at,
          due_at: at + Math.min(debounceMs, maxWaitMs),
          holder: null,
          lease_until: null,
        })
        .onConflict((conflict) =>
          conflict.columns(['subject', 'thread']).doUpdateSet((eb) => {
            const latest = sql<number>`coalesce(memory_jobs.first_at, excluded.first_at) + ${sql.lit(maxWaitMs)}`;
            return {
              assistant: eb.ref('excluded.assistant'),
              language: eb.ref('excluded.language'),
              channel: eb.ref('excluded.channel'),
              chat: eb.ref('excluded.chat'),
              notices: eb('memory_jobs.notices', '+', 1),
              first_at: eb.fn.coalesce('memory_jobs.first_at', 'excluded.first_at'),
              due_at: sql<number>`case when ${latest} < excluded.due_at then ${latest} else excluded.due_at end`,
            };
          }),
        )
        .execute();
    },

    async claim(holder, at, until) {
      const waiting = await db
        .selectFrom('memory_jobs as job')
        .select(['subject', 'thread'])
        .where('due_at', '<=', at)
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', at)]))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('memory_jobs as other')
                .select('other.thread')
                .whereRef('other.subject', '=', 'job.subject')
                .where('other.lease_until', '>', at),
            ),
          ),
        )
        .orderBy('due_at')
        .limit(CANDIDATES)
        .execute();
      for (const candidate of waiting) {
        const job = await take(candidate, holder, at, until);
        if (job === null) continue;
        // Who has more to be looked at stands behind everybody who waits already.
        await db
          .updateTable('memory_jobs')
          .set({ due_at: at + 1 })
          .where('subject', '=', job.subject)
          .where('thread', '<>', job.thread)
          .where('due_at', '<', at)
          .execute();
        return job;
      }
      return null;
    },

    end: (end, at) => endJob(db, end, at),

    async due(at) {
      const row = await db
        .selectFrom('memory_jobs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('due_at', '<=', at)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

/** What was said while the job ran keeps its own time. */
export async function endJob(db: Database, { job, readTo, nextAt, attempts }: JobEnd, at: number): Promise<boolean> {
  const ended = await db
    .updateTable('memory_jobs')
    .set((eb) => {
      const quiet = eb('notices', '=', job.notices);
      return {
        holder: null,
        lease_until: null,
        attempts,
        ...(readTo === null ? {} : { read_to: readTo }),
        first_at: eb
          .case()
          .when(quiet)
          .then(nextAt === null ? null : at)
          .else(eb.ref('first_at'))
          .end(),
        due_at: eb.case().when(quiet).then(nextAt).else(eb.ref('due_at')).end(),
      };
    })
    .where('subject', '=', job.subject)
    .where('thread', '=', job.thread)
    .where('holder', '=', job.holder)
    .returning('thread')
    .execute();
  return ended.length > 0;
}
