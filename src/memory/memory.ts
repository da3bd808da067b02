import type { Clock } from '../base/clock.ts';
import { personSubject } from '../base/ids.ts';
import type { Store } from '../store/port.ts';
import { createAccess } from './access.ts';
import { createDesk } from './desk.ts';
import { LONGEST_WAIT_MS } from './limits.ts';
import type { Memory, MemorySettings } from './port.ts';

export interface MemoryOptions {
  readonly store: Pick<Store, 'memory' | 'audit' | 'persons'>;
  readonly settings: MemorySettings;
  /** Tokens that a text takes. */
  readonly tokensOf: (text: string) => number;
  readonly clock: Pick<Clock, 'now'>;
}

/** The memory of an installation: the same in every process, since all of it is in the database. */
export function createMemory({ store, settings, tokensOf, clock }: MemoryOptions): Memory {
  const { memory, audit, persons } = store;
  const desk = createDesk({ store, maxFacts: settings.maxFacts, clock });
  return {
    ...createAccess({ store, desk, settings, tokensOf, clock }),
    desk,
    noticed: (notice) =>
      memory.jobs.notice(notice, clock.now(), { debounceMs: settings.debounceMs, maxWaitMs: LONGEST_WAIT_MS }),

    async erase(person, by) {
      const users = (await persons.imUsers(person)).map(({ key }) => key);
      const at = clock.now();
      const erased = await memory.erase(personSubject(person), users, at);
      await audit.add({ at, actor: by, action: 'memory.erase', subject: personSubject(person), details: erased });
      return erased;
    },

    adopt: (from, into) => memory.adopt(personSubject(from), personSubject(into), clock.now()),
    release: (user, from, to) => memory.release(user, from, to, clock.now()),
  };
}
