import type { Clock } from '../base/clock.ts';

/** Slows down whoever tries tokens. */
export interface Guesses {
  /** How long this address has to wait before it may try again, in milliseconds; 0: it may now. */
  waitMs(address: string): number;
  failed(address: string): void;
}

const WINDOW_MS = 600_000;
/** Wrong tokens in {@link WINDOW_MS}: of one address, and of all together, should somebody own many addresses. */
const MAX_PER_ADDRESS = 10;
const MAX_IN_ALL = 200;

export function createGuesses(clock: Clock): Guesses {
  // Newest last; never longer than MAX_IN_ALL, because then nobody may try.
  let failures: { readonly address: string; readonly at: number }[] = [];
  const recent = () => {
    failures = failures.filter(({ at }) => at > clock.now() - WINDOW_MS);
    return failures;
  };
  return {
    waitMs: (address) => {
      const all = recent();
      const own = all.filter((failure) => failure.address === address);
      const [oldest] = own.length >= MAX_PER_ADDRESS ? own : all.length >= MAX_IN_ALL ? all : [];
      return oldest === undefined ? 0 : Math.max(1, oldest.at + WINDOW_MS - clock.now());
    },
    failed: (address) => {
      recent().push({ address, at: clock.now() });
    },
  };
}
