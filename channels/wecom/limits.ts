/**
 * Every number of the platform. Sources: the developer documentation (https://developer.work.weixin.qq.com/document),
 * by the number of its page; Tencent's SDK for AI bots (https://www.npmjs.com/package/@wecom/aibot-node-sdk) and its own
 * client of it (https://www.npmjs.com/package/@wecom/wecom-openclaw-plugin).
 */

const MB = 1024 * 1024;

/** Of one answer of an AI bot, in UTF-8. Page 101031. */
export const BOT_TEXT_MAX_BYTES = 20_480;

/** Of one text of an app, in UTF-8; what is longer is cut off without an error. Page 90236. */
export const APP_TEXT_MAX_BYTES = 2_048;

/** A growing answer takes no more updates about six minutes after it was begun (errcode 846608). */
export const STREAM_MAX_MS = 330_000;

/** Tencent's client uses a message's `req_id` for its whole day; ours gives up sooner, a plain message does as well. */
export const REPLY_MAX_MS = 3_600_000;

/** A welcome and the update of a card have to come within five seconds of their event. Page 101031. */
export const EVENT_REPLY_MS = 4_500;

/** An answer without a word stays as it is; this is how often it is looked at, so that it ends in time. */
export const THINKING_LOOK_MS = 20_000;

/** Between two stands of a growing answer. A second is what WeCom itself takes between two looks at one. */
export const EDIT_INTERVAL_MS = 1_000;

/** Messages of a bot or app to one chat; an app's excess is dropped without an error. Page 90236. */
export const CHAT_SENDS_A_MINUTE = { count: 30, windowMs: 60_000 } as const;
export const CHAT_SENDS_AN_HOUR = { count: 1_000, windowMs: 3_600_000 } as const;

/** The `response_url` of a callback takes one answer within an hour. Page 101138. */
export const RESPONSE_URL_MS = 3_540_000;

/** The shortest and longest time that an app's messages are checked for repetitions. Page 90236. */
export const REPEATS_KNOWN_MIN_SECONDS = 1_800;
export const REPEATS_KNOWN_MAX_SECONDS = 14_400;

/** What people send to AI bots. Page 100719. */
export const BOT_FILE_IN_MAX_BYTES = 100 * MB;

/** Of files that go out, by kind; apps: page 90253, AI bots: Tencent's client. */
export const FILE_OUT_MAX_BYTES = { image: 10 * MB, voice: 2 * MB, video: 10 * MB, file: 20 * MB } as const;

/** Smaller ones are refused. Page 90253. */
export const FILE_OUT_MIN_BYTES = 5;

/** Of an upload through the long connection, before base64; at most a hundred of them. */
export const UPLOAD_CHUNK_BYTES = 512 * 1024;

/** WeCom refuses many chunks of large files at once. */
export const UPLOAD_PARALLEL = 2;

/** Buttons of one card, and the bytes that one carries. Page 101031. */
export const CARD_MAX_BUTTONS = 6;
export const BUTTON_KEY_MAX_BYTES = 1_024;

/** As much text as a card shows whole. Page 101031 recommends it. */
export const CARD_TITLE_MAX_CHARS = 26;
export const CARD_TEXT_MAX_CHARS = 112;

/** A body that holds a message is far smaller. */
export const WEBHOOK_MAX_BYTES = 1 * MB;

/** Requests that are older or newer than this are somebody's who has recorded them. */
export const REPLAY_WINDOW_MS = 300_000;

/** How often the SDK says that it is there; two signs without an answer mean that the connection is dead. */
export const HEARTBEAT_MS = 30_000;

/** From dialling to being subscribed. */
export const CONNECT_TIMEOUT_MS = 15_000;

/** A send that comes while the connection is made waits for it this long. */
export const CONNECTED_PATIENCE_MS = 10_000;

/** After another program has taken the connection over: it may be there to stay, and two that fight help nobody. */
export const KICKED_WAIT_MS = 60_000;
export const KICKED_WAIT_MOST_MS = 900_000;

/** A wrong secret is mended by a person. */
export const REFUSED_WAIT_MS = 60_000;

/** Any call to the API. */
export const CALL_TIMEOUT_MS = 15_000;
export const MEDIA_TIMEOUT_MS = 120_000;

/** An answer of the API is a few hundred bytes; the members of a company are more. */
export const ANSWER_MAX_BYTES = 1 * MB;

/** A token is fetched anew this long before it ends. */
export const TOKEN_MARGIN_MS = 300_000;
/** What a token lasts when WeCom does not say. Page 91039. */
export const TOKEN_LASTS_MS = 7_200_000;

/** A name is looked up for this long before the message is taken in without it. */
export const LOOKUP_BUDGET_MS = 1_500;

/** Of what one process remembers of chats and people. */
export const REMEMBERED_MAX = 5_000;

/** WeCom asks about once a second how an answer stands; when it has not for so long, it does not ask any more. */
export const FETCH_PATIENCE_MS = 8_000;
