/**
 * What an input does that comes while its thread's turn is active:
 * - `collect`: joins the next turn with whatever else waits;
 * - `queue`: gets a turn of its own;
 * - `steer`: is handed to the active run (`Turn.steered` of the bus); what the run does not take joins the next turn;
 * - `interrupt`: aborts the active run (reason `interrupt`), which commits what it has; this input's turn follows at once;
 * - `reject`: is not stored (the publish answers `busy`). Also when turns of the thread wait only.
 */
export type BusyPolicy = 'collect' | 'queue' | 'steer' | 'interrupt' | 'reject';

/**
 * How long a turn that has not begun waits for more of the same burst, in milliseconds: until nothing new has come for
 * `whenIdleMs` (the thread was idle) or `whenBusyMs` (a turn was active or waiting), and at most for `mostMs` since
 * its first input. The newest input's numbers count. 0: no wait.
 */
export interface Quiet {
  readonly whenIdleMs: number;
  readonly whenBusyMs: number;
  readonly mostMs: number;
}
