import type { InboundMessage } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';

/** What an update cannot say by itself. */
export interface NormalizeContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly bot: BotIdentity;
  /** Milliseconds since the epoch; for events that carry no time. */
  readonly now: number;
}

/** What all messages of the channel have in common. */
export function inboundBase(
  context: Pick<NormalizeContext, 'channel'>,
): Pick<InboundMessage, 'channel' | 'channelType' | 'tenant'> {
  return { channel: context.channel, channelType: 'telegram', tenant: '' };
}
