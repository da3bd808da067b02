import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Role } from '../base/roles.ts';
import type { ChannelEntry } from '../channel/book.ts';
import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { ImUser, Store } from '../store/port.ts';
import { type HeldRole, type RoleHolders, roleOf } from './roles.ts';

export interface PeopleOptions {
  readonly store: Pick<Store, 'imUsers'>;
  readonly holders: Readonly<Record<Role, RoleHolders>>;
  /** The platform's groups that a user is in, where it tells; asked only where a role is given to groups. */
  readonly groups: (channel: string, user: string) => Promise<readonly string[]>;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
}

/** An IM user and what they may do where they spoke. */
export interface Known extends HeldRole {
  readonly user: ImUser;
}

/** Who speaks. */
export interface People {
  /** Tells who sent a message and what they are. Only somebody new is written down, which takes its time. */
  meet(message: InboundMessage, entry: ChannelEntry): Promise<Known>;
  /** Writes down that somebody was seen, with the name and language that they have now. */
  note(message: InboundMessage): Promise<void>;
}

/** How long what an adapter said of somebody's groups is good for; it may know better for how long, and of changes. */
const GROUPS_FRESH_MS = 30_000;
const GROUPS_REMEMBERED = 10_000;

export function createPeople({ store, holders, groups, log, clock }: PeopleOptions): People {
  const remembered = new BoundedMap<string, { readonly groups: readonly string[]; readonly at: number }>(
    GROUPS_REMEMBERED,
  );
  /** Channels of which a platform's group has a role. */
  const asked = new Set(
    Object.values(holders).flatMap((holder) => holder.groups.map((group) => group.slice(0, group.indexOf('/')))),
  );

  async function groupsOf(channel: string, user: string): Promise<readonly string[]> {
    if (!asked.has(channel)) return [];
    const key = `${channel}/${user}`;
    const known = remembered.get(key);
    if (known !== undefined && clock.now() - known.at < GROUPS_FRESH_MS) return known.groups;
    try {
      const found = await groups(channel, user);
      remembered.set(key, { groups: found, at: clock.now() });
      return found;
    } catch (error) {
      // Nobody gets a right from what could not be found out; what was known before is better than nothing.
      log.warn({ channel, user, problem: asAntlerError(error).message }, "the platform does not tell a user's groups");
      const last = known?.groups ?? [];
      // Not asked again with every message while the platform is away.
      remembered.set(key, { groups: last, at: clock.now() });
      return last;
    }
  }

  const see = (message: InboundMessage): Promise<ImUser> => {
    const { name, isBot, language = null } = message.sender;
    return store.imUsers.see({ key: senderKey(message), name, isBot, language }, clock.now());
  };

  return {
    async meet(message, { settings: { access } }) {
      const { sender, channel, chat } = message;
      const [known, inGroups] = await Promise.all([
        store.imUsers.get(senderKey(message)),
        groupsOf(channel, sender.id),
      ]);
      const user = known ?? (await see(message));
      const held = roleOf(holders, {
        channel,
        user: sender.id,
        chat: chat.id,
        isBot: sender.isBot,
        groups: inGroups,
        granted: user.role,
        isChannelAdmin: access.admins.includes(sender.id),
        otherwise: access.role,
      });
      return { user, ...held };
    },
    async note(message) {
      await see(message);
    },
  };
}
