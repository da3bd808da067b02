import { systemClock } from '../base/clock.ts';
import { personSubject } from '../base/ids.ts';
import { type PeopleOptions, runPeople } from '../cli/people.ts';
import type { Config } from '../config/schema/config.ts';
import { createRegister, type Register } from '../people/register.ts';
import { createUnion, type PersonMoves } from '../people/union.ts';
import { createExplainer, type ExplainQuestion, type Explanation } from '../routing/explain.ts';
import type { Store } from '../store/port.ts';
import { channelBook } from './channels.ts';
import { openDatabase, type Rooms } from './rooms.ts';
import { holdersOf, routerOf } from './routing.ts';
import type { Surroundings } from './surroundings.ts';

/** What an admin does about people, outside of chats. */
export interface PeopleAdmin {
  readonly register: Register;
  readonly explain: (question: ExplainQuestion) => Promise<Explanation>;
}

export function peopleAdmin(
  { config, store, clock, log }: Pick<Rooms, 'config' | 'store' | 'clock' | 'log'>,
  moved: PersonMoves,
): PeopleAdmin {
  return {
    register: createRegister({ store, union: createUnion({ store, moved, log, clock }), clock }),
    explain: createExplainer({
      channels: channelBook(config),
      router: routerOf(config),
      holders: holdersOf(config),
      store,
    }),
  };
}

/** `antler people …`, `antler config explain`: in the database itself, whether Antler runs or not. */
export async function people(
  config: Config,
  asked: Pick<PeopleOptions, 'command' | 'operand' | 'limit' | 'text' | 'json'>,
  { log, print }: Surroundings,
): Promise<void> {
  const store = await openDatabase(config, log);
  try {
    await runPeople({ ...asked, ...peopleAdmin({ config, store, clock: systemClock, log }, movesOf(store)), print });
  } finally {
    await store.close();
  }
}

/** What goes along when persons become one, or two. */
export const movesOf = ({ memory }: Pick<Store, 'memory'>): PersonMoves => ({
  merged: (from, into) => memory.adopt(personSubject(from), personSubject(into), systemClock.now()),
  split: (user, from, to) => memory.release(user, from, to, systemClock.now()),
});
