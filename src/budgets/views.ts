import { type ImUserKey, type PersonId, type ThreadKey, threadKey } from '../base/ids.ts';
import { say } from '../base/sentences.ts';
import type { Consumer } from '../store/port.ts';
import { accountsOf } from './accounts.ts';
import { costOf } from './cost.ts';
import type { BudgetsOptions } from './index.ts';
import { useOf } from './judge.ts';
import { assistantBudget, type Budget, channelBudget, chatBudget, personBudget, unlimited } from './policy.ts';
import type { Budgets, UsageLine } from './port.ts';
import { runningAt, startsOf } from './windows.ts';
import { usageLines } from './words.ts';

interface Named {
  readonly budget: Budget;
  readonly name: string | null;
}

/** What people and admins see of what was used. */
export function createViews({ store, policy, prices, clock }: BudgetsOptions): Pick<Budgets, 'usageText' | 'report'> {
  async function lineOf(budget: Budget, called: Pick<UsageLine, 'id' | 'name'>): Promise<UsageLine> {
    const at = clock.now();
    const { hour, day } = runningAt(at, policy.timeZone);
    const { scope, counters, limits } = budget;
    const use = useOf(budget, await store.usage.standings(counters, startsOf({ hour, day }), at));
    const { tokens, inputTokens, outputTokens } = use;
    const cost = costOf(tokens, prices);
    const maxRunning = limits.concurrentRuns;
    return {
      scope,
      ...called,
      day: { ...day, runs: use.runsToday, inputTokens, outputTokens, cost, maxTokens: limits.tokensPerDay ?? null },
      hour: { ...hour, runs: use.runsThisHour, maxRuns: limits.runsPerHour ?? null },
      now: maxRunning === undefined ? null : { running: use.running, maxRunning },
    };
  }

  async function namedOf({ kind, id }: Consumer): Promise<Named> {
    switch (kind) {
      case 'user': {
        const accounts = await store.persons.imUsers(id as PersonId);
        const users = accounts.length === 0 ? [id as ImUserKey] : accounts.map(({ key }) => key);
        // What somebody is by the configuration shows only when they speak; what was granted is theirs anywhere.
        return { budget: personBudget(policy, users, accounts[0]?.role ?? undefined), name: accounts[0]?.name ?? null };
      }
      case 'chat':
        return { budget: chatBudget(policy, id as ThreadKey), name: null };
      case 'channel':
        return { budget: channelBudget(policy, id), name: null };
      case 'assistant':
        return { budget: assistantBudget(policy, id), name: null };
    }
  }

  return {
    async usageText(asker) {
      const { user, role, channel, chat, chatKind, language } = asker;
      const place = threadKey({ channel, chat });
      const isGroup = chatKind === 'group';
      const found = isGroup ? chatBudget(policy, place) : personBudget(policy, await accountsOf(store, user), role);
      const budget = role !== undefined && policy.exempt.includes(role) ? unlimited(found) : found;
      const lines = usageLines(await lineOf(budget, { id: place, name: null }), asker);
      return isGroup ? `${lines}\n\n${say(language, 'usage_in_private')}` : lines;
    },

    async report(limit) {
      const { day } = runningAt(clock.now(), policy.timeZone);
      const lines: UsageLine[] = [];
      for (const consumer of await store.usage.most(day.start, limit)) {
        const { budget, name } = await namedOf(consumer);
        lines.push(await lineOf(budget, { id: consumer.id, name }));
      }
      return lines;
    },
  };
}
