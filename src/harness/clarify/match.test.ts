import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionIn } from './match.ts';

const days = ['Friday', 'Saturday', '星期天'];

test('a number or the words of an option name it', () => {
  for (const said of [
    '2',
    ' 2. ',
    '2)',
    '(2)',
    '#2',
    '２',
    '②',
    '2️⃣',
    'option 2',
    'No. 2',
    '第二个',
    '选2',
    'saturday',
    ' Saturday! ',
  ])
    assert.equal(optionIn(said, days), 1, said);
  assert.equal(optionIn('星期天。', days), 2);
});

test('what could mean anything else names none', () => {
  for (const said of ['', '0', '4', '22', '2 people', '2 or 3', '1.5', 'on Saturday if it rains', 'no', '-2', '第二天'])
    assert.equal(optionIn(said, days), null, said);
  assert.equal(optionIn('2', []), null);
});

test('options that are numbers go by their words first', () => {
  assert.equal(optionIn('2', ['3', '2', '1']), 1);
});
