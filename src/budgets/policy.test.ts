import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imUserKey, threadKey } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import { accountOf, assistantBudget, channelBudget, chatBudget, limitsPersons, personBudget } from './policy.ts';
import type { LimitSettings, Limits } from './port.ts';
import { policyWith } from './testing/kit.ts';

const ann = imUserKey({ channelType: 'telegram', tenant: '', user: '7' });
const annAtWork = imUserKey({ channelType: 'slack', tenant: 'T1', user: 'U7' });
const chat = threadKey({ channel: 'telegram', chat: '-100' });

const persons: readonly {
  readonly name: string;
  readonly person?: LimitSettings;
  readonly byRole?: Partial<Record<Role, LimitSettings>>;
  readonly users?: Readonly<Record<string, LimitSettings>>;
  readonly role?: Role;
  readonly expected: Limits;
}[] = [
  { name: 'no word of it is no limit', expected: {} },
  { name: 'the default', person: { runsPerHour: 5 }, expected: { runsPerHour: 5 } },
  {
    name: 'a role has its own, limit by limit',
    person: { runsPerHour: 5, tokensPerDay: 9 },
    byRole: { guest: { runsPerHour: 1 } },
    role: 'guest',
    expected: { runsPerHour: 1, tokensPerDay: 9 },
  },
  {
    name: "another role's counts for nobody else",
    person: { runsPerHour: 5 },
    byRole: { guest: { runsPerHour: 1 } },
    role: 'member',
    expected: { runsPerHour: 5 },
  },
  {
    name: 'an exception comes before the role, and may lift a limit',
    person: { runsPerHour: 5, concurrentRuns: 1 },
    byRole: { guest: { runsPerHour: 1 } },
    users: { [accountOf('telegram', '7')]: { runsPerHour: 'none' } },
    role: 'guest',
    expected: { concurrentRuns: 1 },
  },
  {
    name: 'an exception for one account is the whole person’s, the highest of several',
    person: { runsPerHour: 5 },
    users: { [accountOf('slack', 'U7')]: { runsPerHour: 50 }, [accountOf('telegram', '7')]: { runsPerHour: 20 } },
    expected: { runsPerHour: 50 },
  },
];

for (const { name, person = {}, byRole = {}, users = {}, role, expected } of persons)
  test(`a person: ${name}`, () => {
    const policy = policyWith({ person, byRole, users });
    const budget = personBudget(policy, [ann, annAtWork], role);
    assert.deepEqual(budget.limits, expected);
    assert.deepEqual(
      budget.counters.map(({ id }) => id),
      [ann, annAtWork],
    );
  });

test('chats, channels and assistants have their defaults and exceptions', () => {
  const policy = policyWith({
    chat: { tokensPerDay: 10 },
    channel: { tokensPerDay: 20 },
    assistant: { tokensPerDay: 30, concurrentRuns: 2 },
    chats: new Map([[chat, { tokensPerDay: 11 }]]),
    channels: new Map([['telegram', { tokensPerDay: 'none' } as const]]),
    assistants: new Map([['lead', { tokensPerDay: 31 }]]),
  });
  assert.deepEqual(chatBudget(policy, chat).limits, { tokensPerDay: 11 });
  assert.deepEqual(chatBudget(policy, threadKey({ channel: 'x', chat: '-100' })).limits, { tokensPerDay: 10 });
  assert.deepEqual(channelBudget(policy, 'telegram').limits, {});
  assert.deepEqual(channelBudget(policy, 'slack').limits, { tokensPerDay: 20 });
  assert.deepEqual(assistantBudget(policy, 'lead').limits, { tokensPerDay: 31, concurrentRuns: 2 });
});

test('accounts of persons are looked up only where persons have limits', () => {
  assert.equal(limitsPersons(policyWith({ chat: { tokensPerDay: 10 } })), false);
  assert.equal(limitsPersons(policyWith({ byRole: { guest: { runsPerHour: 'none' } } })), false);
  assert.equal(limitsPersons(policyWith({ byRole: { guest: { runsPerHour: 1 } } })), true);
});
