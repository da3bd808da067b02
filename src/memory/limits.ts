/** Of one fact; longer ones are no facts. */
export const FACT_CHARS = 500;
/** Of one summary. */
export const SUMMARY_CHARS = 800;
/** Facts that are let in need at least so much. */
export const LEAST_CONFIDENCE = 0.7;
/** A subject's facts that are remembered to be forgotten. */
export const FORGOTTEN_MOST = 200;
/** What was learnt can be taken back for so long. */
export const UNDO_MS = 7 * 86_400_000;
/** A conversation is looked through this long after its first new message at the latest. */
export const LONGEST_WAIT_MS = 600_000;
/** Entries of a conversation that are looked through at once. */
export const ENTRIES_AT_ONCE = 100;
/** How long somebody may look before others take over. */
export const LEASE_MS = 180_000;
export const CALL_TIMEOUT_MS = 120_000;
export const ANSWER_TOKENS = 2_000;
/** Characters of one message that are looked at. */
export const MESSAGE_CHARS = 2_000;
export const MAX_ATTEMPTS = 5;
export const BACKOFF_MS = 30_000;
