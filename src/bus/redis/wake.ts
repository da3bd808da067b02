/** The BullMQ queue whose jobs are wake-ups. Part of the keys that the scripts build. */
export const QUEUE = 'turns';

/** What such a job carries, as `lua/parts/wake.lua` writes it. */
export interface WakeUp {
  readonly thread: string;
  /** Identity of the transition to `queued` that this wakes for; a wake-up with an older one does nothing. */
  readonly gen: number;
}
