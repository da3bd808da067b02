import type { Kysely } from 'kysely';
import { type ImUserKey, newPersonId, type PersonId } from '../../base/ids.ts';

interface Before {
  im_users: { key: ImUserKey; person: PersonId };
}

/** Who is one human on several platforms, what somebody may do, what was chosen where, and who changed what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('im_users')
    .addColumn('person', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('im_users').addColumn('chosen_language', 'text').execute();
  const known = db as Kysely<Before>;
  for (const { key } of await known.selectFrom('im_users').select('key').execute())
    await known.updateTable('im_users').set({ person: newPersonId() }).where('key', '=', key).execute();
  await db.schema.createIndex('im_users_person').on('im_users').column('person').execute();
  await db.schema.createIndex('im_users_last_seen').on('im_users').columns(['last_seen_at', 'key']).execute();

  await db.schema
    .createTable('person_roles')
    .addColumn('person', 'text', (column) => column.primaryKey())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('granted_by', 'text', (column) => column.notNull())
    .addColumn('granted_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('link_requests')
    .addColumn('code', 'text', (column) => column.primaryKey())
    .addColumn('asked_by', 'text', (column) => column.notNull())
    .addColumn('asked_in', 'text', (column) => column.notNull())
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_in', 'text')
    .addColumn('claimer_agrees', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('place_choices')
    .addColumn('place', 'text', (column) => column.primaryKey())
    .addColumn('assistant', 'text')
    .addColumn('model', 'text')
    .addColumn('chosen_by', 'text', (column) => column.notNull())
    .addColumn('chosen_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('audit_at').on('audit').columns(['at', 'id']).execute();
  await db.schema.createIndex('audit_subject').on('audit').columns(['subject', 'at']).execute();

  await db.schema
    .createTable('chats')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('im_user', 'text')
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('chats_pk', ['channel', 'chat'])
    .execute();
  await db.schema.createIndex('chats_last_seen').on('chats').columns(['channel', 'last_seen_at']).execute();
  await db.schema.createIndex('chats_im_user').on('chats').column('im_user').execute();

  await db.schema.alterTable('threads').addColumn('title', 'text').execute();
}
