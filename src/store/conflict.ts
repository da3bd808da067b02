import { AntlerError } from '../base/errors.ts';

/** More rounds than writers can meet at one row: in each round at least one of them gets through. */
const maxRounds = 200;

/**
 * Repeats a write that takes the next number of a row of numbers (position, generation, seq) until no other writer
 * has taken that number first. `attempt` answers undefined when it has lost the race.
 */
export async function untilUncontended<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let round = 0; round < maxRounds; round++) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new AntlerError('conflict', 'Too many writers at one row of the database.', { retryable: true });
}
