/**
 * What an input does that comes while its thread's turn is active:
 * - `collect`: joins the next turn with whatever else waits;
 * - `queue`: gets a turn of its own, that nothing joins;
 * - `steer`: is handed to the active run (`Turn.steered` of the bus), unless inputs of another policy wait before it;
 *   what the run does not take joins the next turn;
 * - `interrupt`: aborts the active run (reason `interrupt`), which commits what it has; this input's turn follows at
 *   once, with all that waits before it;
 * - `reject`: is not stored (the publish answers `busy`). Also when turns of the thread wait only.
 *
 * Turns are cut from the head of the inbox, so that order is kept however policies mix: one `queue` input by itself, or
 * all inputs up to the next `queue` one.
 */
export type BusyPolicy = 'collect' | 'queue' | 'steer' | 'interrupt' | 'reject';

/**
 * How long a turn that has not begun waits for more of the same burst, in milliseconds: until nothing new has come for
 * `whenIdleMs` (its first input found the thread idle) or `whenBusyMs` (a turn was active or waiting), and at most for
 * `mostMs` since its first input came. The newest input's numbers count. 0: no wait.
 *
 * A turn that no other input can join (it is one of policy `queue`, or such a one waits behind it) waits for nothing.
 * Nor does a turn whose wait is over wait anew for what comes before a worker has taken it; nor one that has been tried
 * before: a new input ends its wait for a retry.
 */
export interface Quiet {
  readonly whenIdleMs: number;
  readonly whenBusyMs: number;
  readonly mostMs: number;
}
