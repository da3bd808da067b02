import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches } from './pattern.ts';

test('patterns: a star stands for anything, everything else for itself', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['shell', 'shell', true],
    ['shell', 'shells', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['write_*', 'write_file', true],
    ['write_*', 'rewrite_file', false],
    ['*_file', 'read_file', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['a.c', 'abc', false],
    ['(*', '(x', true],
  ];
  for (const [pattern, value, expected] of cases)
    assert.equal(matches(pattern, value), expected, `${pattern} ${value}`);
});

test('a pattern of many stars costs no time', () => {
  const started = performance.now();
  assert.equal(matches(`${'*a'.repeat(50)}b`, 'a'.repeat(100_000)), false);
  assert.ok(performance.now() - started < 500);
});
