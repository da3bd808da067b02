/**
 * Every number of the platform. Sources are pages below https://open.feishu.cn/document unless another is named;
 * "send" is server-docs/im-v1/message/create, "card" is cardkit-v1.
 */

/** Body of a request that sends or changes a card or a post. send */
const CARD_REQUEST_MAX_BYTES = 30 * 1024;

/** What a request holds besides the content: receiver, uuid, the card around the text. */
const REQUEST_OVERHEAD_BYTES = 3 * 1024;

/** What the content of one message may take, written as JSON in JSON: any answer may have to fit into a card. */
export const CARD_MAX_BYTES = CARD_REQUEST_MAX_BYTES - REQUEST_OVERHEAD_BYTES;

/** Tables in one card: more are refused with 11310. Not published; the least of what bots report is taken. */
export const CARD_MAX_TABLES = 5;

/** send: "at most once within an hour"; less by what clocks and queues may be off. */
export const UUID_KNOWN_MS = 55 * 60_000;

/** send */
export const UUID_MAX_CHARS = 50;

/** To one person, and to one group by all its bots together. send */
export const CHAT_SENDS = { count: 5, windowMs: 1_000 } as const;

/** Of one API of one app in one tenant. server-docs/api-call-guide/frequency-control */
export const API_CALLS = [
  { count: 50, windowMs: 1_000 },
  { count: 1_000, windowMs: 60_000 },
] as const;

/**
 * Between two stands of a streaming answer. A card takes 10 changes a second; with this, the calls of a minute are
 * enough for eight answers that grow at the same time.
 */
export const STREAM_INTERVAL_MS = 500;

/** A reaction stays until it is taken away; one that nobody has confirmed for twice this long is. */
export const TYPING_LASTS_MS = 20_000;

/** The sequence of a card is a positive int32. card */
export const SEQUENCE_MAX = 0x7fffffff;

/** Of a picture on its way out. server-docs/im-v1/image/create */
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;

/** Of any other file on its way out, which may not be empty either. server-docs/im-v1/file/create */
export const FILE_MAX_BYTES = 30 * 1024 * 1024;

/** Of a file on its way in. server-docs/im-v1/message/get-2 */
export const RESOURCE_MAX_BYTES = 100 * 1024 * 1024;

/** Messages of one call. server-docs/im-v1/message/list */
export const MESSAGE_PAGE_MAX = 50;

export const CALL_TIMEOUT_MS = 15_000;

/** For a file to go up or come down, as a whole. */
export const MEDIA_TIMEOUT_MS = 180_000;

/** Events have to be acknowledged within 3 s; what is quoted and forwarded is looked up in a part of that. */
export const LOOKUP_BUDGET_MS = 1_800;

/** Names matter less than what was said, so they are given up on first. */
export const NAMES_BUDGET_MS = 1_000;

/** An event holds a message of at most 150 KB, escaped as JSON in JSON and in base64. */
export const WEBHOOK_MAX_BYTES = 2 * 1024 * 1024;

/** A webhook whose timestamp is further from ours is a replay. Redeliveries are signed anew. */
export const WEBHOOK_WINDOW_MS = 60 * 60_000;

/**
 * Without a pong for this long the connection counts as dead. It has to be shorter than the interval of pings, which
 * the platform sets (two minutes): every ping starts the SDK's wait anew.
 */
export const PONG_TIMEOUT_SECONDS = 5;

export const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Address, handshake and all. */
export const CONNECT_TIMEOUT_MS = 25_000;
