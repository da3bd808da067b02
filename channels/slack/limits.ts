/**
 * Every number of the platform. Sources: the method references (https://docs.slack.dev/reference/methods), the block
 * references (https://docs.slack.dev/reference/block-kit/blocks), https://docs.slack.dev/apis/web-api/rate-limits.
 */

/** Of all markdown blocks of one message, and of one piece of a stream. Markdown block reference. */
export const MARKDOWN_MAX_CHARS = 12_000;

/** What one message of ours holds: less, because a note may be put before it and mentions in it are made harmless. */
export const MESSAGE_MAX_CHARS = 11_500;

/** Of `text` in chat.update; chat.postMessage takes more, but recommends no more than this. */
export const TEXT_MAX_CHARS = 4_000;

/** Of a section block. */
export const SECTION_MAX_CHARS = 3_000;

/** Block Kit, button and actions block. */
export const BUTTON_VALUE_MAX_CHARS = 2_000;
export const BUTTON_LABEL_MAX_CHARS = 75;
export const ACTIONS_MAX_BUTTONS = 25;

/** About one message a second to one channel, with short bursts allowed; the burst is our reading of "short". */
export const CHANNEL_SENDS = { count: 8, windowMs: 8_000 } as const;

/** Of the whole workspace: "several hundred messages a minute". */
export const WORKSPACE_SENDS = { count: 200, windowMs: 60_000 } as const;

/** chat.update is of tier 3: 50 calls a minute and more. */
export const EDITS = { count: 50, windowMs: 60_000 } as const;

/** Between two stands of a growing answer, so that one answer alone stays below {@link EDITS}. */
export const EDIT_INTERVAL_MS = 1_300;

/** assistant.threads.setStatus: "a two minute timeout applies". */
export const STATUS_LASTS_MS = 120_000;

/**
 * Slack ends a stream after about five minutes (https://github.com/vercel/chat/issues/607); well before that the
 * answer goes on by edits.
 */
export const STREAM_MAX_MS = 240_000;

/** So long a message is looked for in the channel before it is sent again; our own choice. */
export const REPEATS_KNOWN_MS = 900_000;

/** A request older or younger than this is no request of now. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const REQUEST_SKEW_MAX_SECONDS = 300;

/** An event holds a message of 40,000 characters at most, twice (as text and as blocks); escaped, that stays below. */
export const WEBHOOK_MAX_BYTES = 2 * 1024 * 1024;

/** Slack takes files of 1 GB (https://slack.com/help/articles/201330736); what goes through memory is kept smaller. */
export const FILE_MAX_BYTES = 256 * 1024 * 1024;

/** Uploading one: short, so that it is over before anybody takes the delivery for abandoned. */
export const UPLOAD_TIMEOUT_MS = 50_000;

/** Any call of the Web API. */
export const CALL_TIMEOUT_MS = 30_000;

/** What is only nice to know is not waited for longer: an event has to be acknowledged within three seconds. */
export const LOOKUP_TIMEOUT_MS = 1_000;

/** Looking for a message: short, so that sending and looking are over before anybody takes the delivery for abandoned. */
export const LOOK_TIMEOUT_MS = 10_000;

/** Slack pings every few seconds; a socket on which none comes for so long is dead. */
export const PING_TIMEOUT_MS = 30_000;

/** How long our own pings may stay without an answer. */
export const PONG_TIMEOUT_MS = 5_000;

/** From the address of a socket to Slack's `hello` on it. */
export const HELLO_TIMEOUT_MS = 20_000;
