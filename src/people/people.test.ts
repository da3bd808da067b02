import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { ROLES, type Role } from '../base/roles.ts';
import type { ChannelEntry } from '../channel/book.ts';
import { messageWith } from '../files/testing/kit.ts';
import type { Store } from '../store/port.ts';
import { createPeople } from './people.ts';
import type { RoleHolders } from './roles.ts';

const nobody: RoleHolders = { users: [], groups: [], chats: [] };
const entry = { settings: { access: { admins: [], role: 'member' } } } as unknown as ChannelEntry;
const known = { role: null } as Awaited<ReturnType<Store['imUsers']['see']>>;

test('a platform that does not tell its groups is not asked again with every message', async () => {
  let now = 0;
  let asked = 0;
  let isAway = false;
  const people = createPeople({
    store: { imUsers: { get: async () => known } as unknown as Store['imUsers'] },
    holders: {
      ...(Object.fromEntries(ROLES.map((role) => [role, nobody])) as Record<Role, RoleHolders>),
      operator: { ...nobody, groups: ['chat/g1'] },
    },
    groups: async () => {
      asked++;
      if (isAway) throw new Error('down');
      return ['g1'];
    },
    log: silentLogger,
    clock: { now: () => now },
  });
  const roleNow = async (): Promise<Role> => (await people.meet(messageWith(), entry)).role;
  assert.deepEqual([await roleNow(), await roleNow(), asked], ['operator', 'operator', 1]);
  [now, isAway] = [60_000, true];
  assert.deepEqual([await roleNow(), await roleNow(), asked], ['operator', 'operator', 2]);
  [now, isAway] = [120_000, false];
  assert.deepEqual([await roleNow(), asked], ['operator', 3]);
});
