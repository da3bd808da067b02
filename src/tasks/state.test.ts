import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskChange, TaskState } from './port.ts';
import { after, isOver, OPEN_STATES } from './state.ts';

const STATES: readonly TaskState[] = [
  ...['proposed', 'accepted', 'running', 'waiting'],
  ...['done', 'failed', 'cancelled', 'expired'],
] as const;

/** For each change, the states that it leads to from each of {@link STATES}; a dash: it cannot happen. */
const TABLE: Readonly<Record<TaskChange, string>> = {
  accept: 'accepted - - - - - - -',
  start: '- running - running - - - -',
  ask: '- - waiting - - - - -',
  finish: '- done done done - - - -',
  fail: '- failed failed failed - - - -',
  cancel: 'cancelled cancelled cancelled cancelled - - - -',
  expire: 'expired expired - expired - - - -',
  assign: 'accepted accepted accepted accepted - - - -',
  reopen: '- - - - accepted accepted accepted accepted',
};

test('every change leads from every state where it should, or is refused', () => {
  for (const [change, row] of Object.entries(TABLE))
    assert.deepEqual(STATES.map((state) => after(state, change as TaskChange) ?? '-').join(' '), row, change);
});

test('a state is open or over, and only saying more about it leads out of an end', () => {
  assert.deepEqual(
    STATES.filter((state) => !isOver(state)),
    OPEN_STATES,
  );
  const out = Object.keys(TABLE).filter((change) => STATES.some((at) => isOver(at) && after(at, change as TaskChange)));
  assert.deepEqual(out, ['reopen']);
});
