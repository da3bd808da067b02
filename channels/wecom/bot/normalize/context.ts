import type { InboundMessage } from '../../../../src/channel/message.ts';

/** What a message cannot say by itself. */
export interface NormalizeContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  /** As people mention it in groups; undefined: up to the first space. */
  readonly botName: string | undefined;
  /** Milliseconds since the epoch; for what carries no time. */
  readonly now: number;
}

/** Without a word of it: who said it where. */
export type Envelope = Omit<InboundMessage, 'text' | 'kind' | 'quote' | 'files'>;
