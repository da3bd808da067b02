import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearest } from './near.ts';

const cases: readonly [string, readonly string[], string | undefined][] = [
  ['bot_tokn', ['bot_token', 'api_root', 'transport'], 'bot_token'],
  ['botToken', ['bot_token', 'api_root'], 'bot_token'],
  ['prot', ['host', 'port'], 'port'],
  ['telegran', ['telegram', 'web'], 'telegram'],
  ['sart', ['start', 'chat', 'worker'], 'start'],
  ['xyzzy', ['start', 'chat'], undefined],
  ['a', ['b', 'cd'], 'b'],
  ['start', [], undefined],
];

for (const [word, candidates, expected] of cases)
  test(`"${word}" is taken for ${expected ?? 'nothing'}`, () => assert.equal(nearest(word, candidates), expected));

test('the tail of an error names the near word, or is empty', () => {
  assert.equal(didYouMean('pollng', ['polling', 'webhook']), '; did you mean "polling"?');
  assert.equal(didYouMean('zzzzzz', ['polling', 'webhook']), '');
});
