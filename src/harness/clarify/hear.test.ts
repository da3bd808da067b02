import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserEntry } from '../log.ts';
import { ann, userSays } from '../testing/run.ts';
import { hear } from './hear.ts';
import { asked, NO_QUESTIONS, type Question } from './questions.ts';

const bo = { id: 'telegram//8', name: 'Bo' };
const at = Date.UTC(2026, 2, 1);
const question: Question = {
  id: 'q1',
  turn: 'm1',
  text: 'Which day?\n\n1. Friday\n2. Saturday',
  options: ['Friday', 'Saturday'],
  at,
  whom: ann.id,
};
const open = asked(NO_QUESTIONS, question);
const notes = (...entries: UserEntry[]) => hear(open, entries).heard.map(({ note }) => note);
const press = (label: string, pressed = 'q1', speaker = ann): UserEntry => ({ ...userSays(label, speaker), pressed });

test('a number and a pressed button are the option that they stand for', () => {
  for (const entry of [userSays('2'), userSays('saturday'), press('Saturday')]) {
    assert.deepEqual(notes(entry), ['The answer to your question “Which day?” is: 2. Saturday']);
    assert.equal(hear(open, [entry]).open, null);
  }
});

test('a question that was answered is not answered again', () => {
  assert.equal(notes(userSays('2'), userSays('1')).length, 1);
});

test('something else that is said closes the question, what others say does not', () => {
  assert.equal(hear(open, [userSays('Let us talk about lunch')]).open, null);
  assert.deepEqual(notes(userSays('never mind'), userSays('2')), []);
  assert.equal(hear(open, [userSays('2', bo)]), open);
  assert.deepEqual(notes(userSays('2', bo), userSays('1')), ['The answer to your question “Which day?” is: 1. Friday']);
});

test('a button that somebody else presses answers nothing', () => {
  const heard = hear(open, [press('Saturday', 'q1', bo)]);
  assert.match(heard.heard[0]?.note ?? '', /put to somebody else/);
  assert.equal(heard.open?.id, 'q1');
});

test('an old button with the same words does not answer a newer question', () => {
  const newer = asked(open, { ...question, id: 'q2', text: 'Delete everything?\n\n1. Friday' });
  const heard = hear(newer, [press('Saturday', 'q1')]);
  assert.match(heard.heard[0]?.note ?? '', /earlier question “Which day\?” was pressed.*no answer/);
  assert.equal(heard.open?.id, 'q2');
});

test('after a day a question has lapsed', () => {
  for (const entry of [userSays('2'), press('Saturday')]) {
    const late = { ...entry, at: at + 25 * 3_600_000 };
    assert.match(notes(late)[0] ?? '', /lapsed: make sure/);
    assert.equal(hear(open, [late]).open, null);
  }
});
