import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../base/roles.ts';
import { type Holder, type RoleHolders, type RoleSource, roleOf } from './roles.ts';

const nobody: RoleHolders = { users: [], groups: [], chats: [] };
const holders: Readonly<Record<Role, RoleHolders>> = {
  owner: { ...nobody, users: ['telegram/1'] },
  admin: { ...nobody, users: ['slack/U1'], groups: ['slack/S9'] },
  operator: { ...nobody, chats: ['telegram/-100'] },
  member: nobody,
  guest: { ...nobody, users: ['telegram/9'] },
};
const ann: Holder = {
  channel: 'telegram',
  user: '7',
  chat: '7',
  isBot: false,
  groups: [],
  granted: null,
  isChannelAdmin: false,
  otherwise: 'member',
};

test('the best role that somebody has counts, wherever it comes from', () => {
  const table: [Partial<Holder>, Role, RoleSource][] = [
    [{}, 'member', 'let in'],
    [{ otherwise: 'guest' }, 'guest', 'let in'],
    [{ user: '1' }, 'owner', 'user'],
    [{ user: '1', channel: 'slack' }, 'member', 'let in'],
    [{ user: '11' }, 'member', 'let in'],
    [{ user: '9', otherwise: 'guest' }, 'guest', 'user'],
    [{ user: 'U1', channel: 'slack' }, 'admin', 'user'],
    [{ channel: 'slack', groups: ['S1', 'S9'] }, 'admin', 'group'],
    [{ groups: ['S9'] }, 'member', 'let in'],
    [{ chat: '-100' }, 'operator', 'chat'],
    [{ granted: 'admin', chat: '-100' }, 'admin', 'granted'],
    [{ isChannelAdmin: true }, 'admin', 'channel admin'],
    [{ isChannelAdmin: true, granted: 'owner' }, 'owner', 'granted'],
    [{ isBot: true, user: '1', granted: 'owner' }, 'guest', 'bot'],
  ];
  for (const [more, role, from] of table)
    assert.deepEqual(roleOf(holders, { ...ann, ...more }), { role, from }, JSON.stringify(more));
});
