import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imUserKey, threadKey } from '../base/ids.ts';
import { chatBudget, personBudget } from '../budgets/policy.ts';
import { budgetsSchema } from '../config/schema/budgets.ts';
import type { Config } from '../config/schema/config.ts';
import { budgetPolicy } from './budgets.ts';

const channels = { eu: { name: 'eu', type: 'telegram' } } as unknown as Config['channels'];

test('exceptions are found by the ids that platforms give, whatever stands in them', () => {
  const budgets = budgetsSchema.parse({
    person: { tokens_per_day: 10, runs_per_hour: 1 },
    by_role: { guest: { concurrent_runs: 1 } },
    overrides: {
      users: { 'eu/7': { tokens_per_day: 'none' }, 'eu/a/b=': { runs_per_hour: 9 }, 'gone/8': { runs_per_hour: 9 } },
      chats: { 'eu/-100/5': { runs_per_hour: 3 } },
    },
  });
  const policy = budgetPolicy({ budgets, channels });
  const limits = (user: string, role?: 'guest') =>
    personBudget(policy, [imUserKey({ channelType: 'telegram', tenant: '', user })], role).limits;
  assert.deepEqual(limits('7'), { runsPerHour: 1 });
  assert.deepEqual(limits('a/b='), { tokensPerDay: 10, runsPerHour: 9 });
  assert.deepEqual(limits('8', 'guest'), { tokensPerDay: 10, runsPerHour: 1, concurrentRuns: 1 });
  assert.deepEqual(chatBudget(policy, threadKey({ channel: 'eu', chat: '-100/5' })).limits, { runsPerHour: 3 });
  assert.deepEqual(chatBudget(policy, threadKey({ channel: 'eu', chat: '-100' })).limits, {});
});
