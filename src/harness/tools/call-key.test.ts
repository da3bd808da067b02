import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry, ToolCall } from '../log.ts';
import { idempotencyKeys } from './call-key.ts';

const call = (id: string, args = '{"to":"bo","text":"hi"}'): ToolCall => ({ id, name: 'mail', arguments: args });
const made = (...toolCalls: ToolCall[]): LogEntry => ({
  kind: 'assistant',
  id: 'a',
  at: 0,
  text: '',
  toolCalls,
  model: 'm',
});
const result = (callId: string, status: 'ok' | 'error' = 'ok'): LogEntry => ({
  kind: 'tool',
  id: `t${callId}`,
  at: 0,
  callId,
  name: 'mail',
  status,
  text: '',
});
const keyOf = (turn: readonly LogEntry[], one: ToolCall): string | undefined => idempotencyKeys('m1', turn, [one])[0];
const first = keyOf([made(call('x'))], call('x'));

test('a call that was cut off or failed has the same key when it is made again, whatever its id', () => {
  const again = call('other', '{"text":"hi", "to":"bo"}');
  assert.equal(keyOf([made(call('x')), made(again)], again), first);
  assert.equal(keyOf([made(call('x')), result('x', 'error'), made(again)], again), first);
});

test('the same call made once more after it has succeeded has another key, as has another call or turn', () => {
  assert.notEqual(keyOf([made(call('x')), result('x'), made(call('y'))], call('y')), first);
  assert.notEqual(keyOf([], call('x', '{"to":"cy"}')), first);
  assert.notEqual(idempotencyKeys('m2', [], [call('x')])[0], first);
});

test('equal calls of one step have different keys', () => {
  const keys = idempotencyKeys('m1', [], [call('x'), call('y')]);
  assert.equal(new Set(keys).size, 2);
  assert.equal(keys[0], first);
});
