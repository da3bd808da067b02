import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { keptJson } from './kept-json.ts';

test('what is not there, broken or of another shape is nothing', () => {
  const shape = z.array(z.string());
  assert.deepEqual(keptJson('["a"]', shape), ['a']);
  for (const text of [null, '', '["a"', '[1]', 'null', '{}'])
    assert.equal(keptJson(text, shape), undefined, String(text));
});
