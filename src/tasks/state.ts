import type { TaskChange, TaskState } from './port.ts';

const OPEN: readonly TaskState[] = ['proposed', 'accepted', 'running', 'waiting'];
const ENDS: readonly TaskState[] = ['done', 'failed', 'cancelled', 'expired'];

/** From which states each change leads where. */
const CHANGES: Readonly<Record<TaskChange, { readonly from: readonly TaskState[]; readonly to: TaskState }>> = {
  accept: { from: ['proposed'], to: 'accepted' },
  start: { from: ['accepted', 'waiting'], to: 'running' },
  ask: { from: ['running'], to: 'waiting' },
  // A human who has the task ends it without ever starting it.
  finish: { from: ['accepted', 'running', 'waiting'], to: 'done' },
  fail: { from: ['accepted', 'running', 'waiting'], to: 'failed' },
  cancel: { from: OPEN, to: 'cancelled' },
  // What is being worked on ends by itself.
  expire: { from: ['proposed', 'accepted', 'waiting'], to: 'expired' },
  assign: { from: OPEN, to: 'accepted' },
  reopen: { from: ENDS, to: 'accepted' },
};

export const OPEN_STATES = OPEN;

export const isOver = (state: TaskState): boolean => ENDS.includes(state);

/** The state that a change leads to; null where it cannot happen. */
export function after(state: TaskState, change: TaskChange): TaskState | null {
  const { from, to } = CHANGES[change];
  return from.includes(state) ? to : null;
}
