import { type Clock, systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { admissions } from './admissions.ts';
import { audit } from './audit.ts';
import { channelState } from './channel-state.ts';
import { chatMoves } from './chat-moves.ts';
import { chats } from './chats.ts';
import { choices } from './choices.ts';
import { files } from './files.ts';
import { hostedChat } from './hosted.ts';
import { imUsers } from './im-users.ts';
import { links } from './links.ts';
import { threadLog } from './log.ts';
import { memories } from './memory/index.ts';
import { overheard } from './overheard.ts';
import { persons } from './persons.ts';
import type { Store } from './port.ts';
import { openPostgres } from './postgres/open.ts';
import { proposals } from './proposals.ts';
import { runs } from './runs.ts';
import { schedules } from './schedules.ts';
import type { Database } from './schema.ts';
import { settings } from './settings.ts';
import { openSqlite } from './sqlite/open.ts';
import { tasks } from './tasks.ts';
import { threads } from './threads.ts';
import { usage } from './usage.ts';

export interface StoreOptions {
  /** Of a PostgreSQL database, e.g. `postgres://antler:secret@db:5432/antler`. */
  readonly url?: string;
  /** Of an SQLite database; made with its folder when it is not there. Used when there is no `url`. */
  readonly file?: string;
  readonly log: Logger;
  readonly clock?: Clock;
}

/**
 * Opens the database and brings it to the newest schema. Rejects with an {@link AntlerError} that says what to do:
 * `unavailable` (retryable), `unauthorized`, `forbidden`, `not_found` (no such database), `config_invalid` (a wrong
 * URL or file, a database of a newer Antler).
 *
 * @example
 * const store = await openStore({ file: './data/antler.db', log });
 * const thread = await store.threads.open(threadKey({ channel: 'telegram', chat: '7' }));
 * await store.close();
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { log, clock = systemClock } = options;
  return storeOn(await openDatabase(options, log, clock), clock);
}

async function openDatabase(options: StoreOptions, log: Logger, clock: Clock): Promise<Database> {
  if (options.url !== undefined) return openPostgres(options.url, log);
  if (options.file !== undefined) return openSqlite(options.file, log, clock);
  throw new AntlerError('config_invalid', 'The store needs the URL of a PostgreSQL database or an SQLite file.');
}

function storeOn(db: Database, clock: Clock): Store {
  return {
    threads: threads(db, clock),
    log: threadLog(db),
    runs: runs(db),
    imUsers: imUsers(db),
    persons: persons(db),
    links: links(db),
    choices: choices(db),
    chats: chats(db),
    audit: audit(db),
    schedules: schedules(db),
    admissions: admissions(db),
    chatMoves: chatMoves(db),
    settings: settings(db, clock),
    files: files(db),
    proposals: proposals(db),
    usage: usage(db),
    memory: memories(db),
    overheard: overheard(db),
    tasks: tasks(db),
    hosted: (channel) => hostedChat(db, channel),
    channelState: channelState(db, clock),
    async check() {
      // Changes nothing, yet fails where writing would: a read-only file or standby, a lock that does not go away.
      await db.updateTable('settings').set({ value: '' }).where('key', 'is', null).execute();
    },
    close: () => db.destroy(),
  };
}
