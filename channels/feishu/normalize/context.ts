import type { InboundMessage } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';
import type { Content } from './content.ts';

/** What an event cannot say by itself. */
export interface NormalizeContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly bot: BotIdentity;
  /** Milliseconds since the epoch; for events that carry no time. */
  readonly now: number;
}

/**
 * A message as far as its event tells it. Names, the quoted message and what is inside a forward are not in the event;
 * `lookup` says what to ask for, and until it is answered ids stand in the place of names.
 */
export interface Reading {
  readonly message: InboundMessage;
  readonly lookup: Lookup;
}

export interface Lookup {
  /** Name of the sender, by `open_id`. */
  readonly sender?: string;
  /** Title of the group; with `kind`, also whether it is one. */
  readonly chat?: 'title' | 'kind';
  /** The message that this one answers. */
  readonly parent?: string;
  /** The message is in a thread under this one, and answers nothing but that. */
  readonly isThreadRoot?: boolean;
  /** What is in a merged forward, or in a card that came without its words, is to be had under its own id. */
  readonly inside?: Content['inside'];
  /** Whose name stands in the text as an id. */
  readonly unnamed?: Content['unnamed'];
  /** What the event leaves out about the message it is about: chat kind, topic, sender. */
  readonly about?: string;
}
