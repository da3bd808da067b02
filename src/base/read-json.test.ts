import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { readJson } from './read-json.ts';

test('what is not there, broken or of another shape is nothing', () => {
  const shape = z.array(z.string());
  assert.deepEqual(readJson('["a"]', shape), ['a']);
  for (const text of [null, '', '["a"', '[1]', 'null', '{}'])
    assert.equal(readJson(text, shape), undefined, String(text));
});
