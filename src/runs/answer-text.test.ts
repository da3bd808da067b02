import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, labelled } from './answer-text.ts';

test('what is shown of a run, however it ended', () => {
  const en = { notices: [], language: 'en', ending: null, maxRunMs: 900_000 } as const;
  const zh = { ...en, language: 'zh' } as const;
  const failed = { status: 'failed', code: 'unavailable', retryable: false, detail: '503' } as const;
  const table: [string, string][] = [
    [answerText({ status: 'completed', text: 'Hi' }, en), 'Hi'],
    [answerText({ status: 'asked', text: 'Which?' }, en), 'Which?'],
    [
      answerText({ status: 'completed', text: 'Half' }, { ...en, notices: ['(It broke off.)'] }),
      'Half\n\n_(It broke off.)_',
    ],
    [answerText({ status: 'cancelled', text: 'So far' }, { ...en, ending: 'stop' }), 'So far\n\n_Stopped._'],
    [answerText({ status: 'cancelled', text: '' }, { ...zh, ending: 'stop' }), '_已停止。_'],
    [answerText({ status: 'cancelled', text: '' }, { ...en, ending: 'interrupt' }), ''],
    [
      answerText({ ...failed, text: '', sentence: 'model_busy' }, en),
      'The model service is overloaded right now. Please try again in a minute.',
    ],
    [
      answerText({ ...failed, text: 'Half', sentence: 'run_failed' }, en),
      'Half\n\nSomething went wrong on my side and I could not answer. Please try again. (Code unavailable)',
    ],
    [
      answerText({ status: 'cancelled', text: 'So far' }, { ...en, ending: 'timeout' }),
      'So far\n\nThis took longer than I may work on one answer (15 minutes), so I stopped. Ask for a smaller step.',
    ],
  ];
  for (const [shown, expected] of table) assert.equal(shown, expected);
});

test('every answer of the demo model carries its name', () => {
  assert.equal(labelled('**你好**, Ann', 'en', true), '_[演示模型]_\n\n**你好**, Ann');
  assert.equal(labelled('Hi, 小波', 'zh', true), '_[Demo model]_\n\nHi, 小波');
  assert.equal(labelled('12 = 12', 'zh', true), '_[演示模型]_\n\n12 = 12');
  assert.equal(labelled('Hi', 'en', false), 'Hi');
  assert.equal(labelled('', 'en', true), '');
});
