/** Raised with every change of the tables; a file of a newer version is refused. */
export const SCHEMA_VERSION = 1;

/**
 * The tables. Rows of `thread` are never deleted while the bus has the file: a thread's `seq` and `last_commit` must
 * not begin anew, and there are no more of them than threads in the store.
 */
export const schema = `
  CREATE TABLE thread(
    id TEXT PRIMARY KEY,
    chat TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('idle', 'queued', 'running', 'delayed')),
    seq INTEGER NOT NULL,           -- of the newest input ever
    waiting INTEGER NOT NULL,       -- inputs in the inbox
    taken INTEGER NOT NULL,         -- of the newest input that a run was handed
    fence INTEGER NOT NULL,         -- raised with every run; a write of a run names its own
    attempt INTEGER NOT NULL,       -- failures and crashes since the last commit
    due INTEGER NOT NULL,           -- when a delayed thread goes on; when any other was woken
    error TEXT,                     -- of the last failure
    last_commit TEXT,
    last_result TEXT                -- what that commit was answered
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX thread_active ON thread(state, due) WHERE state <> 'idle';

  CREATE TABLE input(
    thread TEXT NOT NULL, seq INTEGER NOT NULL, payload TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (thread, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE seen(key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX seen_at ON seen(at);

  CREATE TABLE delivery(
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    chat TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('ready', 'sending')),
    attempt INTEGER NOT NULL,
    due INTEGER NOT NULL,
    enqueued_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX delivery_lane ON delivery(channel, chat, n);

  CREATE TABLE known_delivery(id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX known_delivery_at ON known_delivery(at);

  CREATE TABLE stream(
    id TEXT PRIMARY KEY, shown TEXT NOT NULL, ended INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stream_at ON stream(at);

  -- Sends that still count against a limit, and pauses, so that a restart does not run into the platform's limits.
  CREATE TABLE reservation(
    scope TEXT NOT NULL, count REAL NOT NULL, window_ms REAL NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX reservation_until ON reservation(until);
  CREATE TABLE pause(scope TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE dead_letter(
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('turn', 'delivery', 'uncertain')),
    at INTEGER NOT NULL,
    error TEXT NOT NULL,
    thread TEXT,
    channel TEXT,
    chat TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;

  CREATE TABLE claim(key TEXT PRIMARY KEY, done INTEGER NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX claim_until ON claim(until);
`;
