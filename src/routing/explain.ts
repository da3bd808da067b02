import { AntlerError } from '../base/errors.ts';
import { type ThreadKey, threadKey } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import { type ChannelBook, inChat } from '../channel/book.ts';
import { type AccessDecision, decideAccess } from '../people/access.ts';
import { type RoleHolders, type RoleSource, roleOf } from '../people/roles.ts';
import type { Store } from '../store/port.ts';
import type { Effective, Route } from './port.ts';
import type { Router } from './router.ts';

/** A message as far as it matters who answers it. */
export interface ExplainQuestion {
  /** The channel's name. */
  readonly channel: string;
  /** The platform's id of a group; absent: a private chat. */
  readonly chat?: string | undefined;
  /** The platform's user id. */
  readonly user: string;
  readonly text: string;
  readonly mentions?: readonly string[];
}

/** Who would answer a message, and why. */
export interface Explanation {
  /** What becomes of the message if it is meant for the bot; `let in` by an admin's word counts. */
  readonly access: AccessDecision;
  readonly role: Role;
  readonly roleFrom: RoleSource;
  readonly route: Route;
  /** What each setting comes to; those that are left to the assistant are not named. */
  readonly settings: Readonly<Record<string, Effective<string | number>>>;
}

export interface ExplainerOptions {
  readonly channels: ChannelBook;
  readonly router: Router;
  readonly holders: Readonly<Record<Role, RoleHolders>>;
  readonly store: Pick<Store, 'imUsers' | 'admissions' | 'choices'>;
}

/** Tells who would answer. Asks no platform, so roles that come from its groups are not known. */
export function createExplainer({ channels, router, holders, store }: ExplainerOptions) {
  return async ({ channel, chat, user, text, mentions = [] }: ExplainQuestion): Promise<Explanation> => {
    const entry = channels.get(channel);
    if (entry === undefined) throw new AntlerError('not_found', `There is no channel ${channel} that is switched on.`);
    const chatKind = chat === undefined ? 'dm' : 'group';
    const place = chat ?? user;
    const { access } = inChat(entry.settings, place);
    const known = (await store.imUsers.called(entry.manifest.type, user))[0];
    const { role, from } = roleOf(holders, {
      channel,
      user,
      chat: place,
      isBot: known?.isBot ?? false,
      groups: [],
      granted: known?.role ?? null,
      isChannelAdmin: access.admins.includes(user),
      otherwise: access.role,
    });
    const decision = decideAccess(access, {
      chat: { id: place, kind: chatKind },
      sender: { id: user, name: '', isBot: known?.isBot ?? false },
      addressed: chatKind === 'dm' ? 'dm' : 'mention',
    });
    const isIn = decision === 'pair' && (await store.admissions.isAdmitted(channel, user));
    const route = router.route(
      { channel, chat: place, chatKind, user, role, text, mentions },
      await store.choices.get(threadKey({ channel, chat: place }) satisfies ThreadKey),
    );
    return {
      access: isIn ? 'allow' : decision,
      role,
      roleFrom: from,
      route,
      settings: {
        ...(route.assistantId === null ? {} : { assistantId: route.assistantId }),
        ...route.settings,
      },
    };
  };
}
