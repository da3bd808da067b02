import type { Role } from '../base/roles.ts';
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
  /** A message to everybody is one to the bot as well. */
  readonly answerAll: boolean;
  /** What somebody is who is let in and has no other role. */
  readonly role: Role;
  /** What other bots say in groups; null: nothing is answered. */
  readonly bots: BotLimits | null;
}

/** How much one bot is answered, so that two bots cannot talk each other into a loop. */
export interface BotLimits {
  /** Answers to one bot in one chat in `windowMs`. */
  readonly most: number;
  readonly windowMs: number;
  /** Answers to bots in one chat until a person speaks there. */
  readonly hops: number;
}

/** When a conversation is not gone on with. */
export interface ResetPolicy {
  /** Nobody spoke in it for so long; null: that does not matter. */
  readonly idleMs: number | null;
  /** Minutes after midnight at which a new day begins; null: none does. */
  readonly dailyAtMinute: number | null;
}

/** What every channel has, whatever its type. */
export interface ChannelSettings {
  /** The channel's name in the configuration. */
  readonly name: string;
  readonly access: AccessPolicy;
  /** Whose messages in a group share one conversation. */
  readonly groupScope: GroupScope;
  readonly reset: ResetPolicy;
  /** Where the bot reads what was said before it was first spoken to: nowhere, in topics of groups, in all groups. */
  readonly earlier: 'never' | 'topic' | 'chat';
  /** So many messages of a group that are not to the bot are kept for each place, the newest; 0: none. */
  readonly overhear: number;
  readonly assistantId: string;
  /** What a message does that comes while the bot still works on the one before. */
  readonly busy: BusyPolicy;
  readonly quiet: Quiet;
  /** How long a message that may have been sent is sent again, see `NewDelivery.resendForMs`. */
  readonly resendForMs: number;
  /** What is otherwise in single chats, by their ids. */
  readonly chats: ReadonlyMap<string, ChatSettings>;
}

/** How long what was not to the bot is kept at most, in milliseconds. */
export const OVERHEARD_FOR_MS = 86_400_000;

export type GroupScope = 'chat' | 'topic' | 'user' | 'topic_user';

/** What can be otherwise in one chat. */
export interface ChatSettings {
  readonly busy?: BusyPolicy;
  readonly groupScope?: GroupScope;
  readonly requireMention?: boolean;
}

/** The settings of a channel as they are in one of its chats. */
export function inChat(settings: ChannelSettings, chat: string): ChannelSettings {
  const own = settings.chats.get(chat);
  if (own === undefined) return settings;
  const { busy = settings.busy, groupScope = settings.groupScope, requireMention } = own;
  const access = requireMention === undefined ? settings.access : { ...settings.access, requireMention };
  return { ...settings, busy, groupScope, access };
}

export interface ChannelEntry {
  readonly settings: ChannelSettings;
  readonly manifest: Manifest;
}

/** The configured, enabled channels by name. */
export type ChannelBook = ReadonlyMap<string, ChannelEntry>;
