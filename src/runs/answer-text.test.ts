import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, labelled } from './answer-text.ts';

test('what is shown of a run, however it ended', () => {
  const failed = { status: 'failed', code: 'unavailable', retryable: false, detail: '503' } as const;
  const table: [string, string][] = [
    [answerText({ status: 'completed', text: 'Hi' }, [], 'en', false), 'Hi'],
    [answerText({ status: 'asked', text: 'Which?' }, [], 'en', false), 'Which?'],
    [answerText({ status: 'completed', text: 'Half' }, ['(It broke off.)'], 'en', false), 'Half\n\n_(It broke off.)_'],
    [answerText({ status: 'cancelled', text: 'So far' }, [], 'en', false), 'So far\n\n_Stopped._'],
    [answerText({ status: 'cancelled', text: '' }, [], 'zh', false), '_已停止。_'],
    [answerText({ status: 'cancelled', text: '' }, [], 'en', true), ''],
    [
      answerText({ ...failed, text: '', sentence: 'model_busy' }, [], 'en', false),
      'The model service is overloaded right now. Please try again in a minute.',
    ],
    [
      answerText({ ...failed, text: 'Half', sentence: 'run_failed' }, [], 'en', false),
      'Half\n\nSomething went wrong on my side and I could not answer. Please try again. (Code unavailable)',
    ],
  ];
  for (const [shown, expected] of table) assert.equal(shown, expected);
});

test('every answer of the demo model carries its name', () => {
  assert.equal(labelled('Hi', 'zh', true), '_[演示模型]_\n\nHi');
  assert.equal(labelled('Hi', 'en', false), 'Hi');
  assert.equal(labelled('', 'en', true), '');
});
