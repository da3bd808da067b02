import { type ThreadKey, threadKey } from '../base/ids.ts';
import { isRole, type Role } from '../base/roles.ts';
import { createBudgets } from '../budgets/index.ts';
import { accountOf } from '../budgets/policy.ts';
import type { BudgetPolicy, Budgets, LimitSettings, Prices } from '../budgets/port.ts';
import type { LimitsEntry } from '../config/schema/budgets.ts';
import type { Config } from '../config/schema/config.ts';
import type { Handler } from '../intake/commands/scene.ts';
import type { Rooms } from './rooms.ts';

/** The budgets of a process. */
export const budgetsOf = ({ store, config, log, clock }: Rooms): Budgets =>
  createBudgets({ store, policy: budgetPolicy(config), prices: pricesOf(config), log, clock });

/** `/usage`. Moments are told as the assistant that answers here tells them. */
export const usageHandler =
  (budgets: Pick<Budgets, 'usageText'>, timeZone: (assistantId: string) => string): Handler =>
  ({ who, message: { channel, chat }, language, route }) =>
    budgets.usageText({
      user: who.user.key,
      role: who.role,
      channel,
      chat: chat.id,
      chatKind: chat.kind,
      language,
      timeZone: timeZone(route.assistantId?.value ?? ''),
    });

/** What may be used, by the configuration. */
export function budgetPolicy({ budgets, channels }: Pick<Config, 'budgets' | 'channels'>): BudgetPolicy {
  const { overrides } = budgets;
  /** Of `<channel>/<id>`, with what stands there; a channel that is switched off has no users. */
  const inChannels = (entries: Readonly<Record<string, LimitsEntry>>) =>
    Object.entries(entries).flatMap(([key, entry]) => {
      const slash = key.indexOf('/');
      const channel = channels[key.slice(0, slash)];
      return channel === undefined ? [] : [{ channel, id: key.slice(slash + 1), limits: limitsOf(entry) }];
    });
  return {
    defaults: {
      person: limitsOf(budgets.person),
      chat: limitsOf(budgets.chat),
      channel: limitsOf(budgets.channel),
      assistant: limitsOf(budgets.assistant),
    },
    byRole: Object.fromEntries(
      Object.entries(budgets.by_role).flatMap(([role, entry]): [Role, LimitSettings][] =>
        isRole(role) ? [[role, limitsOf(entry)]] : [],
      ),
    ),
    overrides: {
      users: new Map(
        inChannels(overrides.users).map(({ channel, id, limits }) => [accountOf(channel.type, id), limits]),
      ),
      chats: new Map(
        inChannels(overrides.chats).map(({ channel, id, limits }): [ThreadKey, LimitSettings] => [
          threadKey({ channel: channel.name, chat: id }),
          limits,
        ]),
      ),
      channels: byName(overrides.channels),
      assistants: byName(overrides.assistants),
    },
    exempt: budgets.exempt,
    timeZone: budgets.time_zone,
  };
}

const byName = (entries: Readonly<Record<string, LimitsEntry>>): ReadonlyMap<string, LimitSettings> =>
  new Map(Object.entries(entries).map(([name, entry]) => [name, limitsOf(entry)]));

function limitsOf(entry: LimitsEntry): LimitSettings {
  const { tokens_per_day: tokensPerDay, runs_per_hour: runsPerHour, concurrent_runs: concurrentRuns } = entry;
  return {
    ...(tokensPerDay === undefined ? {} : { tokensPerDay }),
    ...(runsPerHour === undefined ? {} : { runsPerHour }),
    ...(concurrentRuns === undefined ? {} : { concurrentRuns }),
  };
}

const pricesOf = ({ models }: Pick<Config, 'models'>): Prices =>
  new Map(
    models.flatMap(({ name, price }) =>
      price === undefined
        ? []
        : [
            [
              name,
              {
                inputPerMillion: price.input_per_million,
                outputPerMillion: price.output_per_million,
                currency: price.currency,
              },
            ] as const,
          ],
    ),
  );
