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
