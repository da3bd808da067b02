/**
 * What the server holds bots to. WeChat publishes little of it; sources: the code of Tencent's own client
 * (https://www.npmjs.com/package/@tencent-weixin/openclaw-weixin), the notices quoted at
 * https://github.com/Tencent/openclaw-weixin/issues/81, and measurements at https://weilink.readthedocs.io.
 */
export interface IlinkLimits {
  /** UTF-8 bytes of one text. */
  readonly maxTextBytes: number;
  /** Messages to a person between two of theirs. */
  readonly repliesPerMessage: number;
  /** How long after a person's last message they may be written to, in milliseconds. */
  readonly replyWindowMs: number;
  /** How long a poll is held open, in milliseconds. */
  readonly holdMs: number;
}

export const ilinkLimits: IlinkLimits = {
  maxTextBytes: 16 * 1024,
  repliesPerMessage: Infinity,
  replyWindowMs: 24 * 3_600_000,
  holdMs: 35_000,
};
