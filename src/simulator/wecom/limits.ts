/** https://developer.work.weixin.qq.com/document, pages 90236, 90238, 101031, 101463 */
export const wecomLimits = {
  /** Of an AI bot's answer, in UTF-8. */
  botTextBytes: 20_480,
  /** Of an app's text or Markdown; what is longer is cut off without an error. */
  appTextBytes: 2_048,
  /** How long a growing answer may be changed. */
  streamMs: 360_000,
  /** Welcomes and updates of cards. */
  eventReplyMs: 5_000,
  responseUrlMs: 3_600_000,
  /** How often WeCom asks a callback bot how an answer stands. */
  pollMs: 1_000,
  /** How long WeCom waits for the answer to a callback. */
  ackMs: 5_000,
  /** A callback that fails comes again after these. */
  retryMs: [5_000, 5_000, 5_000] as readonly number[],
  tokenSeconds: 7_200,
  cardButtons: 6,
  buttonKeyBytes: 1_024,
  chunkBytes: 512 * 1024,
  fileBytes: { image: 10 * 1024 * 1024, voice: 2 * 1024 * 1024, video: 10 * 1024 * 1024, file: 20 * 1024 * 1024 },
  /** An app's messages to one member a minute; what is more is dropped without an error. */
  appSendsPerMinute: 30,
};

export type WecomLimits = typeof wecomLimits;
