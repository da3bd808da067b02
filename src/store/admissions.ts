import type { Admission, Admissions, PairingRequest } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

const requestColumns = ['code', 'channel', 'user', 'chat', 'name', 'language', 'requested_at as requestedAt'] as const;

/** Who was let in, and who asks to be. */
export function admissions(db: Database): Admissions {
  const forget = (before: number) => db.deleteFrom('pairing_requests').where('requested_at', '<=', before).execute();

  return {
    async isAdmitted(channel, user) {
      const row = await db
        .selectFrom('admissions')
        .select('user')
        .where('channel', '=', channel)
        .where('user', '=', user)
        .executeTakeFirst();
      return row !== undefined;
    },

    async request(asked, validForMs) {
      await forget(asked.requestedAt - validForMs);
      await db
        .insertInto('pairing_requests')
        .values({
          code: asked.code,
          channel: asked.channel,
          user: asked.user,
          chat: asked.chat,
          name: storable(asked.name),
          language: asked.language,
          requested_at: asked.requestedAt,
        })
        // Who has a code keeps it; two who ask at once get the same. A code that is taken is as rare as it gets.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('pairing_requests')
        .select(requestColumns)
        .where('channel', '=', asked.channel)
        .where('user', '=', asked.user)
        .executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },

    async pending(since) {
      const rows = await db
        .selectFrom('pairing_requests')
        .select(requestColumns)
        .where('requested_at', '>', since)
        .orderBy('requested_at')
        .execute();
      return rows.map(requestOf);
    },

    async take(code, since) {
      const row = await db
        .deleteFrom('pairing_requests')
        .where('code', '=', code)
        .where('requested_at', '>', since)
        .returning(requestColumns)
        .executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },

    async admit(code, since, by, at) {
      await db
        .insertInto('admissions')
        .columns(['channel', 'user', 'name', 'admitted_by', 'admitted_at'])
        .expression((eb) =>
          eb
            .selectFrom('pairing_requests')
            .select((row) => [
              'channel',
              'user',
              'name',
              row.val(storable(by)).$castTo<string>().as('admitted_by'),
              row.val(at).$castTo<number>().as('admitted_at'),
            ])
            .where('code', '=', code)
            .where('requested_at', '>', since),
        )
        .onConflict((conflict) => conflict.columns(['channel', 'user']).doNothing())
        .execute();
      const row = await db
        .selectFrom('pairing_requests')
        .select(requestColumns)
        .where('code', '=', code)
        .where('requested_at', '>', since)
        .executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },

    async revoke(channel, user) {
      const gone = await db
        .deleteFrom('admissions')
        .where('channel', '=', channel)
        .where('user', '=', user)
        .returning('user')
        .execute();
      return gone.length > 0;
    },

    async list() {
      const rows = await db
        .selectFrom('admissions')
        .select(['channel', 'user', 'name', 'admitted_by as admittedBy', 'admitted_at as admittedAt'])
        .orderBy('admitted_at')
        .execute();
      return rows satisfies readonly Admission[];
    },
  };
}

type RequestRow = Omit<PairingRequest, 'language'> & { readonly language: string };
const requestOf = ({ language, ...row }: RequestRow): PairingRequest => ({
  ...row,
  language: language === 'zh' ? 'zh' : 'en',
});
