import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Counter, Entrance, Span, Standing, TokensByModel, Usage, Windows } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

/** The model of rows that count runs, and of a turn in the ledger. */
const NO_MODEL = '';

interface Counted {
  readonly kind: Counter['kind'];
  readonly id: string;
  readonly span: Span;
  readonly start: number;
  readonly model: string;
  readonly runs: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

type Tokens = TokensByModel[string];

const keyOf = ({ kind, id }: Counter): string => `${kind} ${id}`;

/** Each once, in the order in which every writer touches them. */
function inOrder(counters: readonly Counter[]): Counter[] {
  const unique = new Map(counters.map((counter) => [keyOf(counter), { ...counter, id: storable(counter.id) }]));
  return [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, counter]) => counter);
}

const noTokens = { input_tokens: 0, output_tokens: 0 };

const runRows = (counters: readonly Counter[], { hour, day }: Windows): Counted[] =>
  counters.flatMap(({ kind, id }): Counted[] => [
    { kind, id, span: 'day', start: day, model: NO_MODEL, runs: 1, ...noTokens },
    { kind, id, span: 'hour', start: hour, model: NO_MODEL, runs: 1, ...noTokens },
  ]);

/** Adds to counters, all of them in one statement. */
async function add(db: Database, rows: readonly Counted[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id', 'span', 'start', 'model']).doUpdateSet((eb) => ({
        runs: eb('usage.runs', '+', eb.ref('excluded.runs')),
        input_tokens: eb('usage.input_tokens', '+', eb.ref('excluded.input_tokens')),
        output_tokens: eb('usage.output_tokens', '+', eb.ref('excluded.output_tokens')),
      })),
    )
    .execute();
}

/** Notes in the ledger that a turn is counted; false: it was. */
async function countTurn(db: Database, turn: string, at: number): Promise<boolean> {
  const noted = await db
    .insertInto('usage_ledger')
    .values({ id: turn, model: NO_MODEL, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return noted.length > 0;
}

/** What of a run's tokens is counted already. Nobody else counts them until the transaction ends. */
async function countedTokens(
  db: Database,
  holder: string,
  models: readonly string[],
  at: number,
): Promise<Map<string, Tokens>> {
  if (models.length === 0) return new Map();
  const rows = await db
    .insertInto('usage_ledger')
    .values(models.map((model) => ({ id: holder, model, at })))
    .onConflict((conflict) => conflict.columns(['id', 'model']).doUpdateSet((eb) => ({ at: eb.ref('excluded.at') })))
    .returning(['model', 'input_tokens as inputTokens', 'output_tokens as outputTokens'])
    .execute();
  return new Map(rows.map(({ model, ...tokens }) => [model, tokens]));
}

/** Rows of any of these counters; there must be one. */
function anyOf(counters: readonly Counter[]): RawBuilder<SqlBool> {
  const each = counters.map(({ kind, id }) => sql`(kind = ${kind} and id = ${storable(id)})`);
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`;
}

async function standingsOn(
  db: Database,
  counters: readonly Counter[],
  { hour, day }: Windows,
  at: number,
  ownTurn: string | null,
): Promise<Standing[]> {
  if (counters.length === 0) return [];
  const rows = await db
    .selectFrom('usage')
    .selectAll()
    .where(anyOf(counters))
    .where((eb) =>
      eb.or([
        eb.and([eb('span', '=', 'hour'), eb('start', '=', hour)]),
        eb.and([eb('span', '=', 'day'), eb('start', '=', day)]),
      ]),
    )
    .execute();
  const slots = await db
    .selectFrom('run_slots')
    .select((eb) => ['kind', 'id', eb.fn.countAll<number>().as('running')])
    .where(anyOf(counters))
    .where('until', '>', at)
    .$call((query) => (ownTurn === null ? query : query.where('turn', '<>', ownTurn)))
    .groupBy(['kind', 'id'])
    .execute();
  return counters.map((counter) => {
    const key = keyOf({ ...counter, id: storable(counter.id) });
    const own = rows.filter((row) => keyOf(row) === key);
    const runsIn = (span: Span): number =>
      own.reduce((total, row) => (row.span === span ? total + Number(row.runs) : total), 0);
    return {
      counter,
      runsThisHour: runsIn('hour'),
      runsToday: runsIn('day'),
      tokens: Object.fromEntries(
        own
          .filter(({ model }) => model !== NO_MODEL)
          .map((row) => [row.model, { inputTokens: row.input_tokens, outputTokens: row.output_tokens }]),
      ),
      running: Number(slots.find((slot) => keyOf(slot) === key)?.running ?? 0),
    };
  });
}

async function takeSlots(db: Database, { slots, turn, holder, until, at }: Entrance): Promise<void> {
  const taken = inOrder(slots);
  if (taken.length === 0) return;
  await db
    .insertInto('run_slots')
    .values(taken.map(({ kind, id }) => ({ kind, id, turn, holder, until })))
    // A turn that is taken over takes the slots of its former run over as well.
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'id', 'turn'])
        .doUpdateSet((eb) => ({ holder: eb.ref('excluded.holder'), until: eb.ref('excluded.until') })),
    )
    .execute();
  await db.deleteFrom('run_slots').where('until', '<=', at).where(anyOf(taken)).execute();
}

/** What people, chats, channels and assistants have used. */
export function usage(db: Database): Usage {
  return {
    async enter(entrance, decide) {
      const { turn, counters, beside = [], windows, at } = entrance;
      const looked = inOrder([...counters, ...beside]);
      return db.transaction().execute(async (transaction) => {
        const isNew = await countTurn(transaction, turn, at);
        // Adding nothing locks the rows: whoever wants to begin meanwhile waits, and sees what this one leaves.
        await add(
          transaction,
          runRows(looked, windows).map((row) => ({ ...row, runs: 0 })),
        );
        const standings = await standingsOn(transaction, [...counters, ...beside], windows, at, turn);
        if (!decide(standings, !isNew)) {
          if (isNew) await transaction.deleteFrom('usage_ledger').where('id', '=', turn).execute();
          return false;
        }
        if (isNew) await add(transaction, runRows(inOrder(counters), windows));
        await takeSlots(transaction, entrance);
        return true;
      });
    },

    async spend({ turn, holder, counters, windows, at, tokens }) {
      const touched = inOrder(counters);
      const models = Object.keys(tokens).toSorted();
      await db.transaction().execute(async (transaction) => {
        const isNew = await countTurn(transaction, turn, at);
        const counted = await countedTokens(transaction, holder, models, at);
        const more = models.flatMap((model) => {
          const [now, before] = [tokens[model], counted.get(model)];
          const input = (now?.inputTokens ?? 0) - (before?.inputTokens ?? 0);
          const output = (now?.outputTokens ?? 0) - (before?.outputTokens ?? 0);
          return input > 0 || output > 0 ? [{ model, input_tokens: input, output_tokens: output }] : [];
        });
        const day = { span: 'day', start: windows.day, runs: 0 } as const;
        await add(
          transaction,
          touched.flatMap((counter) => [
            ...(isNew ? runRows([counter], windows) : []),
            ...more.map((one) => ({ ...counter, ...day, ...one })),
          ]),
        );
        for (const { model } of more)
          await transaction
            .updateTable('usage_ledger')
            .set({ input_tokens: tokens[model]?.inputTokens ?? 0, output_tokens: tokens[model]?.outputTokens ?? 0 })
            .where('id', '=', holder)
            .where('model', '=', model)
            .execute();
      });
    },

    async renew(holders, until) {
      if (holders.length === 0) return;
      await db.updateTable('run_slots').set({ until }).where('holder', 'in', holders).execute();
    },

    async leave(holder) {
      await db.deleteFrom('run_slots').where('holder', '=', holder).execute();
    },

    standings: (counters, windows, at) => standingsOn(db, counters, windows, at, null),

    async most(day, limit) {
      const rows = await db
        .selectFrom('usage')
        .leftJoin('im_users', (join) =>
          join.onRef('im_users.key', '=', 'usage.id').on('usage.kind', '=', sql.lit('user')),
        )
        .select((eb) => [
          'usage.kind',
          eb.fn.coalesce('im_users.person', 'usage.id').as('consumer'),
          eb.fn.sum<number>(eb('usage.input_tokens', '+', eb.ref('usage.output_tokens'))).as('tokens'),
        ])
        .where('usage.span', '=', 'day')
        .where('usage.start', '=', day)
        .groupBy((eb) => ['usage.kind', eb.fn.coalesce('im_users.person', 'usage.id')])
        .orderBy('tokens', 'desc')
        .orderBy('usage.kind')
        .orderBy('consumer')
        .limit(limit)
        .execute();
      return rows.map(({ kind, consumer }) => ({ kind, id: consumer }));
    },

    async tells(topic, start, turn) {
      await db
        .insertInto('usage_notices')
        .values({ topic: storable(topic), start, turn })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const told = await db
        .selectFrom('usage_notices')
        .select('turn')
        .where('topic', '=', storable(topic))
        .where('start', '=', start)
        .executeTakeFirst();
      return told?.turn === turn;
    },

    async deleteBefore({ days, rest }) {
      const gone = await db
        .deleteFrom('usage')
        .where((eb) =>
          eb.or([
            eb.and([eb('span', '=', 'day'), eb('start', '<', days)]),
            eb.and([eb('span', '=', 'hour'), eb('start', '<', rest)]),
          ]),
        )
        .executeTakeFirst();
      await db.deleteFrom('usage_ledger').where('at', '<', rest).execute();
      await db.deleteFrom('run_slots').where('until', '<', rest).execute();
      await db.deleteFrom('usage_notices').where('start', '<', rest).execute();
      return Number(gone.numDeletedRows);
    },
  };
}
