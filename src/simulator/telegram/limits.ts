/** Numbers of the Bot API (https://core.telegram.org/bots/api); a test may override any of them. */
export interface TelegramLimits {
  /** After entity parsing. */
  readonly maxTextUtf16: number;
  readonly maxCaptionUtf16: number;
  readonly maxCallbackDataBytes: number;
  readonly maxCallbackAnswerChars: number;
  readonly maxCommands: number;
  /** getFile refuses bigger files. */
  readonly maxDownloadBytes: number;
  readonly maxUploadBytes: number;
  readonly maxUploadPhotoBytes: number;
  /** A press that nobody answered for this long can no longer be answered. */
  readonly callbackLifeMs: number;
  /** How long the typing indicator shows. */
  readonly typingMs: number;
  /** Bots may delete messages that are younger than this. */
  readonly deletableMs: number;
  /** Wait before a webhook that failed is tried again; doubled with each failure, up to 64 times. */
  readonly webhookRetryMs: number;
  readonly webhookTimeoutMs: number;
}

export const telegramLimits: TelegramLimits = {
  maxTextUtf16: 4096,
  maxCaptionUtf16: 1024,
  maxCallbackDataBytes: 64,
  maxCallbackAnswerChars: 200,
  maxCommands: 100,
  maxDownloadBytes: 20 * 1024 * 1024,
  maxUploadBytes: 50 * 1024 * 1024,
  maxUploadPhotoBytes: 10 * 1024 * 1024,
  // Not published; bots report the refusal after some 15 seconds.
  callbackLifeMs: 15_000,
  typingMs: 5_000,
  deletableMs: 48 * 3_600_000,
  webhookRetryMs: 1_000,
  webhookTimeoutMs: 60_000,
};

/**
 * The flood control that Telegram's FAQ describes (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits): about
 * one message a second in a chat with short bursts tolerated, 20 a minute in a group, 30 a second in all.
 */
export interface FloodLimits {
  readonly perChatPerSecond: number;
  readonly perChatBurst: number;
  readonly perGroupPerMinute: number;
  readonly perSecond: number;
}

export const floodLimits: FloodLimits = { perChatPerSecond: 1, perChatBurst: 3, perGroupPerMinute: 20, perSecond: 30 };
