import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseThreadKey } from '../base/ids.ts';
import type { ChannelSettings } from '../channel/book.ts';
import { placeOf } from './place.ts';

const said = (kind: 'dm' | 'group', topic: string | undefined, user = '7') => ({
  channel: 'telegram',
  chat: { id: '-100/1:2', kind },
  ...(topic === undefined ? {} : { topic }),
  sender: { id: user, name: 'Ann', isBot: false },
});

test('a direct message without a topic is always the same conversation', () => {
  assert.equal(placeOf(said('dm', undefined), 'topic'), placeOf(said('dm', undefined), 'chat'));
});

test('the group scope says who shares a conversation', () => {
  const scopes: [ChannelSettings['groupScope'], object][] = [
    ['chat', {}],
    ['topic', { topic: '5' }],
    ['user', { user: '7' }],
    ['topic_user', { topic: '5', user: '7' }],
  ];
  for (const [scope, expected] of scopes) {
    assert.deepEqual(parseThreadKey(placeOf(said('group', '5'), scope)), {
      channel: 'telegram',
      chat: '-100/1:2',
      ...expected,
    });
  }
});
