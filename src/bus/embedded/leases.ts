import { abortError } from '../abort.ts';
import type { Leases } from '../port.ts';
import { closedError } from './journal.ts';

/** Leases within one process, the only one there is: none is ever lost but by the end of the bus. */
export interface LocalLeases extends Leases {
  /** Takes all leases away. */
  end(): void;
}

export function createLocalLeases(): LocalLeases {
  const held = new Map<string, AbortController>();
  let ended = false;
  return {
    acquire: async (name) => {
      if (ended) throw closedError();
      if (held.has(name)) return null;
      const controller = new AbortController();
      held.set(name, controller);
      return {
        lost: controller.signal,
        release: async () => {
          // The name may be somebody else's by now.
          if (held.get(name) === controller) held.delete(name);
        },
      };
    },
    end: () => {
      ended = true;
      for (const controller of held.values()) controller.abort(abortError('shutdown'));
      held.clear();
    },
  };
}
