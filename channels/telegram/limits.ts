/**
 * Every number of the platform. Sources: the Bot API reference (https://core.telegram.org/bots/api), the Bots FAQ
 * (https://core.telegram.org/bots/faq), grammY's notes on flood control (https://grammy.dev/advanced/flood).
 */

/** Of one message, after its entities are parsed. Bot API, sendMessage. */
export const TEXT_MAX_UTF16 = 4096;

/** Formatting beyond the hundredth entity of a message is dropped without an error. https://limits.tginfo.me */
export const ENTITIES_MAX = 100;

/** Bot API, InlineKeyboardButton. */
export const CALLBACK_DATA_MAX_BYTES = 64;

/** Of a file or picture, after its entities are parsed. Bot API, sendDocument. */
export const CAPTION_MAX_UTF16 = 1024;

/** Bot API, getFile: "bots can download files of up to 20MB in size". */
export const FILE_DOWNLOAD_MAX_BYTES = 20 * 1024 * 1024;

/** Bot API, sendDocument. */
export const FILE_UPLOAD_MAX_BYTES = 50 * 1024 * 1024;

/** Bot API, sendPhoto; larger ones go as documents. */
export const PHOTO_UPLOAD_MAX_BYTES = 10 * 1024 * 1024;

/** Items of one album. Bot API, sendMediaGroup. */
export const ALBUM_MAX_ITEMS = 10;

/** An album is complete when nothing more of it has come for this long; its items come within a second or so. */
export const ALBUM_QUIET_MS = 700;

/** And at the latest after this long. */
export const ALBUM_MOST_MS = 5_000;

/** How often a replica looks for albums that a dead one has left. */
export const ALBUM_SWEEP_MS = 30_000;

/** Messages of a bot to everybody. Bots FAQ. */
export const SENDS_MAX_PER_SECOND = 30;

/**
 * "Avoid sending more than one message per second. We may allow short bursts that go over this limit" — Bots FAQ, "My
 * bot is hitting limits". How long a burst is nobody says; three at once, then one a second, is never refused by what
 * we know. The window is a little longer than that, because what leaves us a second apart may arrive closer together.
 */
export const CHAT_SENDS = { count: 3, windowMs: 3_300 } as const;

/** Messages and edits of a bot in one group: "not be able to send more than 20 messages per minute". Bots FAQ. */
export const GROUP_SENDS = { count: 20, windowMs: 61_000 } as const;

/** Between edits of a growing answer: a little under the rates above, so that the last edit never has to wait. */
export const EDIT_INTERVAL_DM_MS = 1_100;
export const EDIT_INTERVAL_GROUP_MS = 3_500;

/** "5 seconds or less". Bot API, sendChatAction. */
export const TYPING_LASTS_MS = 5_000;

/** How long Telegram may hold a poll open when there is nothing to say. */
export const POLL_HOLD_SECONDS = 30;

/** A poll that takes longer is a dead connection. */
export const POLL_TIMEOUT_MS = (POLL_HOLD_SECONDS + 15) * 1_000;

/** Any other call. */
export const CALL_TIMEOUT_MS = 30_000;

/** 50 MB through a slow line. */
export const UPLOAD_TIMEOUT_MS = 300_000;

/** A self-hosted Bot API server fetches the whole file before it answers getFile. */
export const PREPARE_TIMEOUT_MS = 120_000;

/** A download that brings nothing for this long is over. */
export const DOWNLOAD_STALL_MS = 30_000;

/** Updates of one poll. Bot API, getUpdates. */
export const POLL_MAX_UPDATES = 100;

/** An update holds a message of 4096 characters and its quotes; a body far above that is not Telegram's. */
export const WEBHOOK_MAX_BYTES = 1024 * 1024;

/** Connections that Telegram may open to a webhook at once. Bot API, setWebhook (its default). */
export const WEBHOOK_CONNECTIONS = 40;
