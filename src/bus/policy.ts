import type { BusyPolicy } from '../channel/busy.ts';
import type { ThreadState } from './port.ts';

/** An input that waits, as far as turns are cut by it. */
export interface Waiting {
  readonly busy: BusyPolicy;
  /** A run was handed it before, and did not acknowledge it. */
  readonly tried: boolean;
}

export interface Cut<Input> {
  readonly turn: readonly Input[];
  /** Nothing that comes later can join the turn. */
  readonly closed: boolean;
}

/** Is an input of this policy refused by a thread in this state? */
export const isRefused = (busy: BusyPolicy, found: ThreadState['state']): boolean =>
  busy === 'reject' && found !== 'idle';

/** Cuts the next turn off the head of an inbox. What was tried together is tried together again. */
export function cutTurn<Input extends Waiting>(inbox: Iterable<Input>): Cut<Input> {
  const turn: Input[] = [];
  for (const input of inbox) {
    const [first] = turn;
    const joins = first === undefined || input.tried || (first.busy !== 'queue' && input.busy !== 'queue');
    if (!joins) return { turn, closed: true };
    turn.push(input);
  }
  return { turn, closed: turn[0]?.busy === 'queue' };
}

/** What an active run may be handed of the inputs that have come since it began: all up to one of another policy. */
export function cutSteered<Input extends Pick<Waiting, 'busy'>>(inbox: Iterable<Input>): readonly Input[] {
  const steered: Input[] = [];
  for (const input of inbox) {
    if (input.busy !== 'steer') break;
    steered.push(input);
  }
  return steered;
}
