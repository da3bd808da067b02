import type { ChannelBook } from '../channel/book.ts';
import type { Adapter } from '../channel/port.ts';
import { createLinking, type Linking } from '../intake/linking.ts';
import { createOwnerClaim, type OwnerClaim } from '../intake/owner-claim.ts';
import { createPairing, type Pairing } from '../intake/pairing.ts';
import { createTell, type Tell } from '../intake/tell.ts';
import { type BotGuard, createBotGuard } from '../people/bot-guard.ts';
import { createPeople, type People } from '../people/people.ts';
import type { Slots } from '../people/slots.ts';
import { createUnion, type PersonMoves } from '../people/union.ts';
import type { Rooms } from './rooms.ts';
import { holdersOf } from './routing.ts';

/** Everything about who speaks. */
export interface PeopleDesk {
  readonly people: People;
  readonly bots: BotGuard;
  readonly pairing: Pairing;
  readonly linking: Linking;
  readonly ownerClaim: OwnerClaim;
  readonly tell: Tell;
}

export function createPeopleDesk(
  { bus, store, config, clock, log }: Rooms,
  channels: ChannelBook,
  adapter: (channel: string) => Adapter | undefined,
  moved: PersonMoves,
): PeopleDesk {
  const slots: Slots = {
    take: async (key, holdMs) => (await bus.claims.claim(key, holdMs)) === 'yours',
    give: (key) => bus.claims.release(key),
  };
  const tell = createTell({ bus, channels, clock });
  return {
    people: createPeople({
      store,
      holders: holdersOf(config),
      groups: async (channel, user) => (await adapter(channel)?.groupsOf?.(user)) ?? [],
      log,
      clock,
    }),
    bots: createBotGuard(slots),
    pairing: createPairing({ store, tell, log, clock }),
    linking: createLinking({
      links: store.links,
      union: createUnion({ store, moved, log, clock }),
      slots,
      tell,
      language: config.language ?? 'en',
      clock,
    }),
    ownerClaim: createOwnerClaim({ store, hasOwner: config.roles.owner.users.length > 0, slots, log, clock }),
    tell,
  };
}
