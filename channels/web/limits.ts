/**
 * The web chat's own numbers. No platform dictates them: they keep one page, one message and one replica within
 * bounds that a laptop does not notice.
 */
export const limits = {
  /** Messages are kept by their key, so a repeated send is the same message for as long as there are any. */
  knowsRepeatsForMs: 86_400_000,
  /** Longest answer of the bot, in characters. */
  maxTextChars: 100_000,
  /** Longest message of a person, in UTF-16 units as the page counts them. */
  maxPostUtf16: 50_000,
  /** Room for a message of that length in which every unit is escaped (`\u0000`), in bytes. */
  maxBodyBytes: 320_000,
  /** Files of one message. */
  maxPostFiles: 10,
  /** The page shows and keeps what any platform could send; `files.max_in_mb` bounds it besides. */
  maxFileBytes: 100 * 1024 * 1024,
  /** A file does not change; a browser may keep it for as long as a visit lasts, in seconds. */
  fileCacheSeconds: 3_600,
  /** Messages of one page of history. */
  pageSize: 50,
  maxPageSize: 200,
  /** Open pages that one replica serves. */
  maxStreams: 64,
  /** A page that has not read this many bytes is cut off; it connects again and re-reads. */
  maxLagBytes: 1_000_000,
  /** Shorter than the 60 s after which common reverse proxies close a silent connection (nginx `proxy_read_timeout`). */
  heartbeatMs: 15_000,
  /** What a page waits before it connects again, in milliseconds. */
  reconnectMs: 1_500,
  /** At least this long between two edits of a growing answer; 20 frames a second read as flowing. */
  minEditIntervalMs: 50,
  /** A growing answer is shown at once but stored only this often: a database row is not a video. */
  storeDraftMs: 500,
  /** Growing answers remembered for {@link storeDraftMs}. */
  maxDrafts: 256,
  /** How long the page shows that the bot is typing, in milliseconds. */
  typingLastsMs: 6_000,
} as const;
