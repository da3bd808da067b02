import type { BusyPolicy, Quiet } from './busy.ts';
import type { Manifest } from './port.ts';

/** Who may speak to the bot on a channel. Lists hold the platform's ids as exact, opaque tokens; an empty list denies. */
export interface AccessPolicy {
  /** `pairing`: a stranger gets a code, and is let in when an admin approves it. */
  readonly dm: 'open' | 'pairing' | 'allowlist' | 'disabled';
  readonly allowUsers: readonly string[];
  /** May always speak, and may let others in. */
  readonly admins: readonly string[];
  readonly groups: 'open' | 'allowlist' | 'disabled';
  readonly allowGroups: readonly string[];
  /** In groups: answer only what is addressed to the bot. */
  readonly requireMention: boolean;
}

/** What every channel has, whatever its type. */
export interface ChannelSettings {
  /** The channel's name in the configuration. */
  readonly name: string;
  readonly access: AccessPolicy;
  /** Whose messages in a group share one conversation. */
  readonly groupScope: 'chat' | 'topic' | 'user' | 'topic_user';
  readonly assistantId: string;
  /** What a message does that comes while the bot still works on the one before. */
  readonly busy: BusyPolicy;
  readonly quiet: Quiet;
  /** How long a message that may have been sent is sent again, see `NewDelivery.resendForMs`. */
  readonly resendForMs: number;
}

export interface ChannelEntry {
  readonly settings: ChannelSettings;
  readonly manifest: Manifest;
}

/** The configured, enabled channels by name. */
export type ChannelBook = ReadonlyMap<string, ChannelEntry>;
