import { isAtLeast, ROLES, type Role } from '../base/roles.ts';

/** Who has a role by the configuration. Each as `<channel>/<the platform's id>`, an exact, opaque token. */
export interface RoleHolders {
  readonly users: readonly string[];
  /** Of the platform: a Slack user group, a Feishu department. */
  readonly groups: readonly string[];
  /** Everybody who speaks there. */
  readonly chats: readonly string[];
}

/** What a role can come from. `let in`: from nothing but having been let in. */
export type RoleSource = 'user' | 'granted' | 'channel admin' | 'group' | 'chat' | 'let in' | 'bot';

export interface HeldRole {
  readonly role: Role;
  readonly from: RoleSource;
}

/** Somebody who speaks somewhere. */
export interface Holder {
  readonly channel: string;
  readonly user: string;
  readonly chat: string;
  readonly isBot: boolean;
  /** The platform's groups that the user is in. */
  readonly groups: readonly string[];
  /** What was granted at run time. */
  readonly granted: Role | null;
  /** Named by the channel's `access.admins`. */
  readonly isChannelAdmin: boolean;
  /** What the channel makes of who is let in. */
  readonly otherwise: Role;
}

/** The best role that somebody has, and what it comes from. A bot is a guest, whatever it is in. */
export function roleOf(holders: Readonly<Record<Role, RoleHolders>>, holder: Holder): HeldRole {
  if (holder.isBot) return { role: 'guest', from: 'bot' };
  const named = (ids: readonly string[], id: string): boolean => ids.includes(`${holder.channel}/${id}`);
  const held: HeldRole[] = ROLES.flatMap((role): HeldRole[] => {
    const { users, groups, chats } = holders[role];
    return [
      ...(named(users, holder.user) ? [{ role, from: 'user' } as const] : []),
      ...(holder.groups.some((group) => named(groups, group)) ? [{ role, from: 'group' } as const] : []),
      ...(named(chats, holder.chat) ? [{ role, from: 'chat' } as const] : []),
    ];
  });
  if (holder.granted !== null) held.push({ role: holder.granted, from: 'granted' });
  if (holder.isChannelAdmin) held.push({ role: 'admin', from: 'channel admin' });
  held.push({ role: holder.otherwise, from: 'let in' });
  return held.reduce((best, next) => (isAtLeast(best.role, next.role) ? best : next));
}
