import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../harness/log.ts';
import { untilLastResult } from './resume.ts';

const said: LogEntry = { kind: 'user', id: 'u', at: 0, text: 'Hi', speaker: { id: 'web//ann', name: 'Ann' } };
const bot = (id: string, ...calls: string[]): LogEntry => ({
  kind: 'assistant',
  id,
  at: 0,
  text: '',
  toolCalls: calls.map((call) => ({ id: call, name: 'f', arguments: '' })),
  model: 'm',
});
const result = (callId: string, cut = false): LogEntry => ({
  kind: 'tool',
  id: `t${callId}`,
  at: 0,
  callId,
  name: 'f',
  status: cut ? 'error' : 'ok',
  text: '',
  ...(cut ? { cut } : {}),
});
const state: LogEntry = { kind: 'state', id: 's', at: 0, key: 'k', value: 1 };

test('what was done is all up to the last result, without what people said', () => {
  const done = [bot('a', '1', '2'), state, result('1'), bot('b', '3'), result('3')];
  assert.deepEqual(untilLastResult([said, ...done, bot('c', '4'), state]), done);
});

test('the end of a call that was cut off is none of its own', () => {
  const step = [bot('a', '1', '2'), result('1')];
  assert.deepEqual(untilLastResult([said, ...step, result('2', true)]), step);
  assert.deepEqual(untilLastResult([said, bot('a', '1'), result('1', true)]), []);
});

test('words alone are no work', () => {
  assert.deepEqual(untilLastResult([said, bot('a')]), []);
  assert.deepEqual(untilLastResult([]), []);
});
