import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldValue, pressedValue } from './kept-values.ts';

test('a value comes back whole, however long it is and whatever it looks like', async () => {
  const kept = new Map<string, string>();
  const state = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => void kept.set(key, value),
  };
  const fits = (value: string): boolean => value.length <= 40;
  for (const value of ['yes', '', '~yes', 'x'.repeat(41), '谢'.repeat(5_000)]) {
    const held = await heldValue(value, fits, state);
    assert.ok(fits(held) && held !== '', held);
    assert.equal(await pressedValue(held, state), value);
  }
  assert.equal(await heldValue('yes', fits, state), 'yes');
  assert.equal(await pressedValue('~nobody knows', state), null);
});
