/**
 * Every number of the platform. WeChat publishes few of them; sources: the code of Tencent's own client
 * (https://www.npmjs.com/package/@tencent-weixin/openclaw-weixin), reports at https://github.com/Tencent/openclaw-weixin,
 * and for wechaty its own documentation (https://wechaty.js.org).
 */

/** iLink, of one text: longer ones are refused with `ret: -2`. Measured by https://weilink.readthedocs.io. */
export const ILINK_TEXT_MAX_BYTES = 16 * 1024;

/** What WeChat's apps let a person send at once is about 2,048 characters; a personal account had better stay below. */
export const WECHATY_TEXT_MAX_CHARS = 2_000;

/** Tencent's client refuses larger files both ways. */
export const ILINK_FILE_MAX_BYTES = 100 * 1024 * 1024;

/** Larger ones take WeChat's web protocol minutes, if they pass at all. */
export const WECHATY_FILE_MAX_BYTES = 25 * 1024 * 1024;

/** Three texts within a second can silence the whole bot for up to an hour: https://github.com/Tencent/openclaw-weixin/issues/270. */
export const ILINK_SENDS = { count: 1, windowMs: 1_500 } as const;

/** Many messages a minute, over all chats, silence it too: https://github.com/Tencent/openclaw-weixin/issues/286. */
export const ILINK_SENDS_OF_ALL = { count: 30, windowMs: 60_000 } as const;

/** A personal account that writes faster than a person is noticed. */
export const WECHATY_SENDS = { count: 1, windowMs: 1_500 } as const;

/** Tencent's client says again every five seconds that it types. */
export const TYPING_LASTS_MS = 5_000;

/** How long the platform knows a `client_id` again. Not published; a retry comes within seconds. */
export const ILINK_KNOWS_REPEATS_MS = 300_000;

/** An answer of iLink holds a few messages; one far above that is not iLink's. */
export const ILINK_ANSWER_MAX_BYTES = 16 * 1024 * 1024;

/** Any call that is not held open. Tencent's client waits as long. */
export const ILINK_CALL_TIMEOUT_MS = 15_000;

/** How long a poll is held open when there is nothing to say, unless the server says otherwise. */
export const ILINK_POLL_HOLD_MS = 35_000;
export const ILINK_POLL_HOLD_MIN_MS = 2_000;
export const ILINK_POLL_HOLD_MAX_MS = 120_000;

/** The server's own answer to a poll that brought nothing is waited for a little longer than it promised. */
export const ILINK_POLL_GRACE_MS = 5_000;

/** Between polls that come back at once and empty, so that a server that holds none open is not flooded. */
export const ILINK_POLL_EMPTY_PAUSE_MS = 1_000;

/** A QR code is good for five minutes in Tencent's client; what nobody tells us to be over is given a little more. */
export const ILINK_QR_LASTS_MS = 360_000;

/** Codes that are over sooner than this were of no use to anybody; new ones are asked for ever more slowly. */
export const ILINK_QR_SHORT_LIFE_MS = 30_000;

/** Between two looks at a QR code; each is held open by the server. */
export const ILINK_QR_LOOK_MS = 1_000;

/** Refused sends are tried again no sooner: each further one prolongs the silence. */
export const ILINK_REFUSED_PAUSE_MS = 120_000;
export const ILINK_REFUSED_MOST_MS = 3_600_000;

/** Between looks whether the person has written again, which opens the way; our own memory is asked, not WeChat. */
export const ILINK_REFUSED_LOOK_MS = 5_000;
export const ILINK_REFUSED_LOOK_MAX_MS = 300_000;

/** Tencent's client keeps a ticket for typing this long. */
export const ILINK_TICKET_LASTS_MS = 24 * 3_600_000;

/** Messages of the bot, and as many of the person, that quotes in a chat are looked up in. */
export const ILINK_RECENT_MAX = 30;
/** Of each of them, as much is kept; in UTF-16 code units. */
export const ILINK_RECENT_TEXT_MAX = 600;
/** Chats whose people's messages are remembered. */
export const ILINK_RECENT_CHATS_MAX = 1_000;

/** 100 MB through a slow line. */
export const ILINK_UPLOAD_TIMEOUT_MS = 300_000;
