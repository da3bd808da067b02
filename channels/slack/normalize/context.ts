import type { InboundMessage } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';

/** What is known of somebody by their id. */
export interface Profile {
  readonly name: string;
  readonly isBot: boolean;
  /** As Slack reports it, e.g. `zh-CN`. */
  readonly language?: string;
}

/** What Slack tells by id only, looked up before. */
export interface Names {
  user(id: string): Profile | undefined;
  /** The channel's name, without `#`. */
  channel(id: string): string | undefined;
  /** The handle of a group of users, without `@`. */
  group(id: string): string | undefined;
}

/** What an event cannot say by itself. */
export interface NormalizeContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly bot: BotIdentity;
  readonly names: Names;
  /** Milliseconds since the epoch; for what carries no time. */
  readonly now: number;
}

/**
 * What all messages of the channel have in common. The tenant is the bot's own workspace, whatever an event names:
 * ids of people are unique in an organisation, and events of its other workspaces, or of buttons pressed from there,
 * name another one for the same person.
 */
export function inboundBase({
  channel,
  bot,
}: NormalizeContext): Pick<InboundMessage, 'channel' | 'channelType' | 'tenant'> {
  return { channel, channelType: 'slack', tenant: bot.teamId };
}
