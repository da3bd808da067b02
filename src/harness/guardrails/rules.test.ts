import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asker, GuardRule } from './port.ts';
import { decide } from './rules.ts';

const ann: Asker = { user: 'telegram/7', role: 'guest', chat: 'telegram/-100', assistant: 'lead' };

test('the first rule that fits decides, and without one the tool may be used', () => {
  const rules: readonly GuardRule[] = [
    { effect: 'allow', tools: ['shell'], users: ['telegram/7'], chats: ['telegram/-1*'] },
    { effect: 'deny', tools: ['shell'], roles: ['guest'] },
    { effect: 'deny', tools: ['*_file'], assistants: ['lead'] },
  ];
  assert.deepEqual(decide(rules, 'shell', ann), { allowed: true, rule: 0 });
  assert.deepEqual(decide(rules, 'shell', { ...ann, user: 'slack/7' }), { allowed: false, rule: 1 });
  assert.deepEqual(decide(rules, 'shell', { ...ann, user: 'slack/7', role: 'admin' }), { allowed: true, rule: null });
  assert.deepEqual(decide(rules, 'read_file', ann), { allowed: false, rule: 2 });
  assert.deepEqual(decide(rules, 'read_file', { ...ann, assistant: 'other' }), { allowed: true, rule: null });
});

test('a list that names nobody fits nobody', () => {
  assert.deepEqual(decide([{ effect: 'allow', tools: ['*'], users: [] }], 'shell', ann), { allowed: true, rule: null });
  assert.deepEqual(
    decide(
      [
        { effect: 'allow', tools: ['*'], users: [] },
        { effect: 'deny', tools: ['*'] },
      ],
      'shell',
      ann,
    ),
    { allowed: false, rule: 1 },
  );
});
