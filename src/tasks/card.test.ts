import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ImUserKey, type ThreadId, taskId } from '../base/ids.ts';
import { asTyped } from './as-typed.ts';
import { cardOf, lineOf, pressedTask, shortId } from './card.ts';
import type { Task } from './port.ts';
import { titleOf } from './title.ts';

const task: Task = {
  id: taskId('x'),
  channel: 'telegram',
  chat: '-5',
  requester: 'telegram//7' as ImUserKey,
  message: {
    ...{ channel: 'telegram', channelType: 'telegram', tenant: '', chat: { id: '-5', kind: 'group' }, id: '9' },
    ...{ kind: 'message', sender: { id: '7', name: 'Ann', isBot: false }, sentAt: 0, text: 'Look' },
    ...{ addressed: 'mention', mentions: [], files: [] },
  },
  role: 'member',
  language: 'en',
  title: 'Look *up* [it](mention:8)',
  assistant: 'lead',
  state: 'running',
  thread: 't' as ThreadId,
  card: null,
  assignee: null,
  parent: null,
  hop: 0,
  deadlineAt: null,
  createdAt: 0,
  updatedAt: 0,
  remindedAt: null,
  summary: null,
  version: 1,
};
const can = { buttons: true, mentions: true };

test('a card says how the task stands, whose it is, for how long, and offers to end it', () => {
  const { markdown, buttons } = cardOf(task, { now: 61_000, steps: 3, doing: 'Reading _a_\npage' }, can);
  assert.equal(
    markdown,
    '⏳ **Look \\*up\\* \\[it\\](mention:8)**\nat work · for Ann, by lead · steps: 3 · 1 minute\n\n_Reading \\_a\\_ page_',
  );
  assert.deepEqual(buttons, [{ label: 'Cancel', value: `task:${task.id}:cancel` }]);
});

test('where there are no buttons the card says what to send, in the language of the task', () => {
  const { markdown, buttons } = cardOf(
    { ...task, language: 'zh', state: 'proposed' },
    { now: 0 },
    { ...can, buttons: false },
  );
  const id = shortId(task);
  assert.match(markdown, new RegExp(`待确认 · Ann 委托，lead 处理[\\s\\S]*/tasks accept ${id}.*/tasks refuse ${id}`));
  assert.equal(buttons, undefined);
});

test('a card of a task that is over counts no further and offers nothing', () => {
  const { markdown, buttons } = cardOf({ ...task, state: 'done', updatedAt: 4_000 }, { now: 99_000, doing: 'x' }, can);
  assert.match(markdown, /^✅ .*\ndone · for Ann, by lead · 4 seconds$/);
  assert.equal(buttons, undefined);
});

test('a human who has a task is called by the card and can close it', () => {
  const his = { ...task, state: 'accepted', assignee: { key: 'telegram//8' as ImUserKey, name: 'Bo' } } as const;
  const { markdown, buttons } = cardOf(his, { now: 0 }, can);
  assert.match(markdown, /for Ann, by Bo[\s\S]*→ \[@Bo\]\(mention:8\)/);
  assert.deepEqual(
    buttons?.map(({ label }) => label),
    ['Done', 'Cancel'],
  );
  assert.doesNotMatch(cardOf(his, { now: 0 }, { ...can, mentions: false }).markdown, /mention:8\)$/);
  assert.match(lineOf(his, 'en'), /accepted, for Ann, by Bo$/);
});

test('a card says until when the task is wanted', () => {
  const { markdown } = cardOf({ ...task, deadlineAt: Date.UTC(2030, 0, 31, 18) }, { now: 0 }, can);
  assert.match(markdown, /for Ann, by lead · due Jan 31, 2030, 6:00\sPM UTC$/);
});

test('only buttons of cards are read as such', () => {
  assert.deepEqual(pressedTask(`task:${task.id}:cancel`), { id: task.id, action: 'cancel' });
  for (const value of ['choice:q1:cancel', 'task::cancel', `task:${task.id}:explode`, `task:${task.id}`, ''])
    assert.equal(pressedTask(value), null, value);
});

test('a title is the first line of what was asked, cut where it is long', () => {
  assert.equal(titleOf('  Look\tit up \nquickly'), 'Look it up');
  assert.equal(titleOf('查'.repeat(90)), `${'查'.repeat(79)}…`);
  assert.equal(asTyped('a_b!'), 'a\\_b\\!');
});
