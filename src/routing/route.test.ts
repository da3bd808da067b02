import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misfit } from './match.ts';
import type { Match, Question } from './port.ts';
import { type Routing, route, wishesOf } from './route.ts';

const question: Question = {
  channel: 'slack',
  chat: 'C1',
  chatKind: 'group',
  user: 'U1',
  role: 'member',
  text: 'Please write the report',
  mentions: ['Rex'],
};

const nothing: Routing = {
  rules: [],
  chosen: {},
  user: {},
  chat: {},
  channel: {},
  otherwise: { assistantId: 'lead' },
  rights: { assistants: ['all'], models: ['all'] },
};

test('what a rule looks at: every part, alone and as one of several', () => {
  const table: [Match, Partial<Question>, keyof Match | null][] = [
    [{}, {}, null],
    [{ channel: ['slack'] }, {}, null],
    [{ channel: ['telegram'] }, {}, 'channel'],
    [{ channel: ['telegram', 'sl*'] }, {}, null],
    [{ chat: ['C1'] }, {}, null],
    [{ chat: ['C'] }, {}, 'chat'],
    [{ chatKind: 'group' }, {}, null],
    [{ chatKind: 'dm' }, {}, 'chatKind'],
    [{ user: ['slack/U1'] }, {}, null],
    [{ user: ['U1'] }, {}, 'user'],
    [{ user: ['telegram/*'] }, {}, 'user'],
    [{ role: ['admin', 'member'] }, {}, null],
    [{ role: ['guest'] }, {}, 'role'],
    [{ command: ['research'] }, { text: '/Research climate' }, null],
    [{ command: ['research'] }, { text: '／research' }, null],
    [{ command: ['research'] }, { text: '/researcher' }, 'command'],
    [{ command: ['研究'] }, { text: '/研究 气候' }, null],
    [{ command: ['research'] }, {}, 'command'],
    [{ mention: ['rex'] }, {}, null],
    [{ mention: ['Ada'] }, { text: 'ada, look at this' }, null],
    [{ mention: ['Ada'] }, { text: '@Ada: look' }, null],
    [{ mention: ['Ada'] }, { text: 'Adam, look' }, 'mention'],
    [{ text: ['*report*'] }, {}, null],
    [{ text: ['REPORT*'] }, {}, 'text'],
    [{ channel: ['slack'], role: ['guest'], text: ['*'] }, {}, 'role'],
  ];
  for (const [match, more, expected] of table)
    assert.equal(misfit(match, { ...question, ...more }), expected, JSON.stringify([match, more]));
});

test('who counts most: what was chosen, the first rule that fits, person, chat, channel, default', () => {
  const rules = [
    { match: { chat: ['C2'] }, assistantId: 'other' },
    { match: { chat: ['C1'] }, assistantId: 'ruled', model: 'big' },
    { match: {}, assistantId: 'late' },
  ];
  const full: Routing = {
    ...nothing,
    rules,
    chosen: { assistantId: 'chosen' },
    user: { assistantId: 'users' },
    chat: { assistantId: 'chats' },
    channel: { assistantId: 'channels' },
  };
  const ladder: [Partial<Routing>, string, string][] = [
    [{}, 'chosen', 'choice'],
    [{ chosen: {} }, 'ruled', 'rule'],
    [{ chosen: {}, rules: [] }, 'users', 'user'],
    [{ chosen: {}, rules: [], user: {} }, 'chats', 'chat'],
    [{ chosen: {}, rules: [], user: {}, chat: {} }, 'channels', 'channel'],
    [{ chosen: {}, rules: [], user: {}, chat: {}, channel: {} }, 'lead', 'default'],
  ];
  for (const [without, assistant, from] of ladder) {
    const found = route({ ...full, ...without }, question);
    assert.deepEqual([found.assistantId?.value, found.assistantId?.source.from], [assistant, from]);
  }
  const { tried } = route({ ...full, chosen: {} }, question);
  assert.deepEqual(
    tried.map(({ why }) => why),
    ['chat', null, 'after another'],
  );
});

test('each setting is of the first that has something to say of it', () => {
  const found = route(
    {
      ...nothing,
      rules: [{ match: {}, assistantId: 'ruled', maxSteps: 3 }],
      chosen: { model: 'big' },
      chat: { model: 'small', reasoningEffort: 'low' },
      channel: { maxSteps: 9, maxRunTokens: 5_000 },
    },
    question,
  );
  assert.deepEqual(wishesOf(found), { model: 'big', reasoningEffort: 'low', maxSteps: 3, maxRunTokens: 5_000 });
  assert.deepEqual(found.settings.maxSteps?.source, { from: 'rule', rule: 0 });
});

test('what a role may not use is passed over, and nobody gets an assistant that they may not use', () => {
  const guest: Routing = {
    ...nothing,
    chosen: { assistantId: 'research', model: 'big' },
    rights: { assistants: ['lead'], models: ['small'] },
  };
  const found = route(guest, question);
  assert.equal(found.assistantId?.value, 'lead');
  assert.equal(found.settings.model, undefined);
  assert.deepEqual(found.refused, [
    { source: { from: 'choice' }, setting: 'assistantId', name: 'research' },
    { source: { from: 'choice' }, setting: 'model', name: 'big' },
  ]);
  assert.equal(route({ ...guest, rights: { assistants: [], models: [] } }, question).assistantId, null);
});
