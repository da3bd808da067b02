import type { InboundMessage } from '../../../../src/channel/message.ts';

/** What a message cannot say by itself. */
export interface NormalizeContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  /** The bot's own id. */
  readonly bot: string;
  /** Milliseconds since the epoch; for messages that carry no time. */
  readonly now: number;
}

/** What a message says, and what is not for intake. */
export interface Reading {
  readonly message: InboundMessage;
  /** Needed to answer; absent in a message that carries none. */
  readonly contextToken: string | undefined;
  /** What is quoted has to be looked up by `message.quote.messageId`, as far as it is known at all. */
  readonly quoted: QuotedPart | undefined;
}

/** Cuts the quoted part out of the whole text of the quoted message; the whole when it is not found in there. */
export type QuotedPart = (whole: string) => string;
