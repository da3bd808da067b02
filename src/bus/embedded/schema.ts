const tables = `
  CREATE TABLE thread(
    id TEXT PRIMARY KEY,
    chat TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('idle', 'queued', 'running', 'delayed')),
    seq INTEGER NOT NULL,           -- of the newest input ever
    waiting INTEGER NOT NULL,       -- inputs in the inbox
    taken INTEGER NOT NULL,         -- of the newest input that a run was handed
    fence INTEGER NOT NULL,         -- raised with every run; a write of a run names its own
    attempt INTEGER NOT NULL,       -- failures and crashes since the last commit
    due INTEGER NOT NULL,           -- when a queued or delayed thread may run; when any other came to be as it is
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

const policies = `
  ALTER TABLE thread ADD COLUMN channel TEXT NOT NULL DEFAULT '';
  ALTER TABLE thread ADD COLUMN user TEXT NOT NULL DEFAULT '';     -- whom the next turn is counted for
  CREATE INDEX thread_idle ON thread(due) WHERE state = 'idle';

  ALTER TABLE input ADD COLUMN key TEXT;                           -- the dedupe key; none for what was put back
  ALTER TABLE input ADD COLUMN user TEXT NOT NULL DEFAULT '';
  ALTER TABLE input ADD COLUMN busy TEXT NOT NULL DEFAULT 'collect';
  ALTER TABLE input ADD COLUMN came INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE input ADD COLUMN fresh INTEGER NOT NULL DEFAULT 0;   -- came for a turn that began to gather from idle
  ALTER TABLE input ADD COLUMN wait_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE input ADD COLUMN most_ms INTEGER NOT NULL DEFAULT 0;

  ALTER TABLE dead_letter ADD COLUMN user TEXT;                    -- of a turn

  CREATE TABLE paused_channel(name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Deliveries of before do not say how long they may be sent again; not at all is safe.
  UPDATE delivery SET body = json_set(body, '$.resendForMs', 0);
  UPDATE dead_letter SET content = json_set(content, '$.resendForMs', 0) WHERE kind <> 'turn';
`;

// All threads that are not idle are in memory: nobody looks for them by their state any more.
const withoutActive = `DROP INDEX thread_active;`;

const crashes = `
  ALTER TABLE thread ADD COLUMN excused INTEGER NOT NULL DEFAULT 0;  -- crashes while other turns ran beside it
  ALTER TABLE thread ADD COLUMN guilty TEXT;                         -- what it did when it crashed alone
  ALTER TABLE thread ADD COLUMN alone TEXT;                          -- what it does now, alone in the process
`;

/** The steps that make the tables, each from what the one before it has left. A step that was released never changes. */
export const migrations: readonly string[] = [tables, policies, withoutActive, crashes];
