import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadId } from '../base/ids.ts';
import type { DeadLetter } from '../bus/port.ts';
import { letterView } from './letter-view.ts';

const scrub = (text: string): string => text.replaceAll('sk-secret', '***');
const input = (text: string, name = 'Ann') => ({
  seq: 1,
  at: 20,
  payload: {
    message: { channel: 'telegram', chat: { id: '-100', kind: 'group' }, sender: { id: '7', name }, sentAt: 10, text },
    place: 'telegram/-100',
  },
});
const turn = (content: unknown): DeadLetter => ({
  id: 'd_1',
  kind: 'turn',
  at: 30,
  error: 'the model\nrefused sk-secret',
  thread: 't_1' as ThreadId,
  chat: 'telegram/-100',
  content,
});
const textOf = (text: string): string | undefined => letterView(turn([input(text)]), scrub).said[0]?.text;

test('a turn tells who said what, when and where', () => {
  assert.deepEqual(letterView(turn([input('one'), input('two', 'Bo')]), scrub), {
    id: 'd_1',
    kind: 'turn',
    at: 30,
    error: 'the model refused ***',
    channel: 'telegram',
    chat: '-100',
    thread: 't_1',
    said: [
      { who: 'Ann', at: 10, text: 'one' },
      { who: 'Bo', at: 10, text: 'two' },
    ],
    more: 0,
  });
});

test('a delivery tells what the bot wanted to say', () => {
  const content = { id: 'x', at: 5, target: { chat: '7' }, document: { markdown: '**Hi**' }, limits: [] };
  const view = letterView({ id: 'd', kind: 'uncertain', at: 9, error: 'e', channel: 'web', chat: '7', content }, scrub);
  assert.deepEqual(view, {
    id: 'd',
    kind: 'uncertain',
    at: 9,
    error: 'e',
    channel: 'web',
    chat: '7',
    said: [{ who: null, at: 5, text: '**Hi**' }],
    more: 0,
  });
});

test('texts are one harmless line of at most 200 characters', () => {
  const table: readonly (readonly [string, string])[] = [
    ['a\n\n b\tc', 'a b c'],
    ['red \u001b[31m\u0007\u202egnp', 'red [31mgnp'],
    ['👩‍👩‍👧 and 谢谢', '👩‍👩‍👧 and 谢谢'],
    ['my key is sk-secret.', 'my key is ***.'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(199)}…`],
    ['😀'.repeat(200), '😀'.repeat(200)],
    ['😀'.repeat(300), `${'😀'.repeat(199)}…`],
    // A secret is taken out before the text is cut: half of it would not be known any more.
    [`${'x'.repeat(195)}sk-secret`, `${'x'.repeat(195)}***`],
  ];
  for (const [text, shown] of table) assert.equal(textOf(text), shown);
});

test('many messages are counted, not shown', () => {
  const view = letterView(turn(['1', '2', '3', '4', '5'].map((text) => input(text))), scrub);
  assert.deepEqual([view.said.map(({ text }) => text), view.more], [['1', '2', '3'], 2]);
});

test('a content of another shape shows nothing of itself', () => {
  for (const content of [null, [], 'text', [{ payload: { secret: 1 } }], { document: 1 }]) {
    const view = letterView(turn(content), scrub);
    assert.deepEqual([view.said, view.chat], [[], 'telegram/-100'], JSON.stringify(content));
  }
});
