import { type SqlBool, sql } from 'kysely';
import { type ImUserKey, type MemorySubject, type PersonId, personSubject } from '../../base/ids.ts';
import type { Database } from '../schema.ts';
import { holdSubject, insertFact, readBook } from './books.ts';
import { retell } from './told.ts';

/**
 * Deletes all that is known about somebody; what they said before stays unlearnt. Undefined: they have told something of
 * one more chat in the meantime, so it has to be done again.
 */
export async function erase(
  transaction: Database,
  subject: MemorySubject,
  users: readonly ImUserKey[],
  at: number,
): Promise<{ readonly facts: number } | undefined> {
  const chats = users.length === 0 ? [] : await chatsToldBy(transaction, subject, users);
  for (const each of [subject, ...chats].toSorted()) await holdSubject(transaction, each, at);
  const more = users.length === 0 ? [] : await chatsToldBy(transaction, subject, users);
  if (more.some((chat) => !chats.includes(chat))) return undefined;
  const own = await transaction.deleteFrom('memory_facts').where('subject', '=', subject).returning('id').execute();
  const told =
    chats.length === 0
      ? []
      : await transaction
          .deleteFrom('memory_facts')
          .where('said_by', 'in', users)
          .where('subject', 'in', chats)
          .returning('id')
          .execute();
  // What summaries and what could be taken back hold of it cannot be told apart from the rest.
  await transaction
    .deleteFrom('memory_summaries')
    .where('subject', 'in', [subject, ...chats])
    .execute();
  await transaction
    .updateTable('memory_subjects')
    .set({ undo: null })
    .where('subject', 'in', [subject, ...chats])
    .execute();
  await transaction
    .updateTable('memory_subjects')
    .set({ erased_at: at, forgotten: '{}' })
    .where('subject', '=', subject)
    .execute();
  await transaction.deleteFrom('memory_jobs').where('subject', '=', subject).execute();
  for (const each of [subject, ...chats]) await retell(transaction, each);
  return { facts: own.length + told.length };
}

/** Chats about which they have said something. */
async function chatsToldBy(
  transaction: Database,
  subject: MemorySubject,
  users: readonly ImUserKey[],
): Promise<MemorySubject[]> {
  const rows = await transaction
    .selectFrom('memory_facts')
    .select('subject')
    .distinct()
    .where('said_by', 'in', users)
    .where('subject', '<>', subject)
    .where(sql<SqlBool>`subject like 'chat:%'`)
    .execute();
  return rows.map((row) => row.subject);
}

/** All that is `from`'s becomes `into`'s. Who wanted to be forgotten, or not to be remembered, stays that. */
export async function adopt(
  transaction: Database,
  from: MemorySubject,
  into: MemorySubject,
  at: number,
): Promise<void> {
  if (from === into) return;
  const [first, second] = [from, into].toSorted() as [MemorySubject, MemorySubject];
  const heldOf = new Map([[first, await holdSubject(transaction, first, at)]]);
  heldOf.set(second, await holdSubject(transaction, second, at));
  const left = await readBook(transaction, from, heldOf.get(from));
  const kept = await readBook(transaction, into, heldOf.get(into));

  await transaction.deleteFrom('memory_facts').where('subject', '=', from).execute();
  let number = heldOf.get(into)?.next_number ?? 1;
  for (const fact of left.facts) if (await insertFact(transaction, { ...fact, subject: into, number })) number++;
  await transaction
    .updateTable('memory_summaries')
    .set({ subject: into })
    .where('subject', '=', from)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('memory_summaries as own')
            .select('own.kind')
            .whereRef('own.kind', '=', 'memory_summaries.kind')
            .where('own.subject', '=', into),
        ),
      ),
    )
    .execute();
  await transaction.deleteFrom('memory_summaries').where('subject', '=', from).execute();
  await moveJobs(transaction, from, into);
  const erased = [left.erasedAt, kept.erasedAt].filter((moment) => moment !== null);
  await transaction
    .updateTable('memory_subjects')
    .set({
      next_number: number,
      is_off: left.isOff || kept.isOff ? 1 : 0,
      erased_at: erased.length === 0 ? null : Math.max(...erased),
      forgotten: JSON.stringify({ ...left.forgotten, ...kept.forgotten }),
      undo: null,
    })
    .where('subject', '=', into)
    .execute();
  await transaction.deleteFrom('memory_subjects').where('subject', '=', from).execute();
  await retell(transaction, into);
}

/** What `user` has said goes to another person. */
export async function release(
  transaction: Database,
  user: ImUserKey,
  from: PersonId,
  to: PersonId,
  at: number,
): Promise<void> {
  const [former, next] = [personSubject(from), personSubject(to)];
  for (const subject of [former, next].toSorted()) await holdSubject(transaction, subject, at);
  const [left, kept] = [await readBook(transaction, former), await readBook(transaction, next)];
  const moved = left.facts.filter(({ saidBy }) => saidBy === user);
  if (moved.length > 0)
    await transaction
      .deleteFrom('memory_facts')
      .where(
        'id',
        'in',
        moved.map(({ id }) => id),
      )
      .execute();
  let number = Math.max(0, ...kept.facts.map((fact) => fact.number)) + 1;
  for (const fact of moved) if (await insertFact(transaction, { ...fact, subject: next, number })) number++;
  await transaction.deleteFrom('memory_summaries').where('subject', '=', former).execute();
  await moveJobs(transaction, former, next, user);
  await transaction.updateTable('memory_subjects').set({ undo: null }).where('subject', '=', former).execute();
  await transaction
    .updateTable('memory_subjects')
    .set({
      next_number: number,
      is_off: left.isOff ? 1 : 0,
      erased_at: left.erasedAt,
      forgotten: JSON.stringify(left.forgotten),
      undo: null,
    })
    .where('subject', '=', next)
    .execute();
  for (const subject of [former, next]) await retell(transaction, subject);
}

/** A thread has one job a subject; whoever works on one that moves finds it gone, and it is done again. */
async function moveJobs(
  transaction: Database,
  from: MemorySubject,
  into: MemorySubject,
  user?: ImUserKey,
): Promise<void> {
  await transaction
    .updateTable('memory_jobs')
    .set({ subject: into, holder: null, lease_until: null })
    .where('subject', '=', from)
    .$call((query) => (user === undefined ? query : query.where('im_user', '=', user)))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('memory_jobs as own')
            .select('own.thread')
            .whereRef('own.thread', '=', 'memory_jobs.thread')
            .where('own.subject', '=', into),
        ),
      ),
    )
    .execute();
  if (user === undefined) await transaction.deleteFrom('memory_jobs').where('subject', '=', from).execute();
}
