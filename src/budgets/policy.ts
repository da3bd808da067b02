import { type ImUserKey, parseImUserKey, type ThreadKey } from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Counter } from '../store/port.ts';
import type { BudgetPolicy, LimitName, LimitSettings, Limits, Scope } from './port.ts';

/** One limited (or unlimited) user of tokens, and the counters that tell what it has used. */
export interface Budget {
  readonly scope: Scope;
  readonly counters: readonly Counter[];
  readonly limits: Limits;
}

export const LIMITS = ['tokensPerDay', 'runsPerHour', 'concurrentRuns'] as const satisfies readonly LimitName[];

/** Names an account in {@link BudgetPolicy.overrides}: a platform's user id is the same in all its tenants' channels. */
export const accountOf = (channelType: string, user: string): string => JSON.stringify([channelType, user]);

const accountIn = (key: ImUserKey): string => {
  const { channelType, user } = parseImUserKey(key);
  return accountOf(channelType, user);
};

/**
 * A person's budget. `users`: all their accounts, of which the one with the highest exception counts.
 */
export function personBudget(policy: BudgetPolicy, users: readonly ImUserKey[], role: Role | undefined): Budget {
  const own = users.flatMap((user) => policy.overrides.users.get(accountIn(user)) ?? []);
  const byRole = role === undefined ? undefined : policy.byRole[role];
  return {
    scope: 'person',
    counters: users.map((id) => ({ kind: 'user', id })),
    limits: limitsOf(highest(own), byRole, policy.defaults.person),
  };
}

export const chatBudget = ({ overrides, defaults }: BudgetPolicy, chat: ThreadKey): Budget => ({
  scope: 'chat',
  counters: [{ kind: 'chat', id: chat }],
  limits: limitsOf(overrides.chats.get(chat), defaults.chat),
});

export const channelBudget = ({ overrides, defaults }: BudgetPolicy, channel: string): Budget => ({
  scope: 'channel',
  counters: [{ kind: 'channel', id: channel }],
  limits: limitsOf(overrides.channels.get(channel), defaults.channel),
});

export const assistantBudget = ({ overrides, defaults }: BudgetPolicy, assistant: string): Budget => ({
  scope: 'assistant',
  counters: [{ kind: 'assistant', id: assistant }],
  limits: limitsOf(overrides.assistants.get(assistant), defaults.assistant),
});

/** Can a person have any limit at all? Otherwise nobody needs to know whose accounts are whose. */
export function limitsPersons({ defaults, byRole, overrides }: BudgetPolicy): boolean {
  const settings = [defaults.person, ...Object.values(byRole), ...overrides.users.values()];
  return settings.some((one) => LIMITS.some((name) => typeof one[name] === 'number'));
}

export const isLimited = ({ limits }: Budget): boolean => LIMITS.some((name) => limits[name] !== undefined);

/** The same, counted and never stopped. */
export const unlimited = (budget: Budget): Budget => ({ ...budget, limits: {} });

/** Of each limit what is said first. */
function limitsOf(...settings: readonly (LimitSettings | undefined)[]): Limits {
  const found = LIMITS.flatMap((name) => {
    const value = settings.map((one) => one?.[name]).find((one) => one !== undefined);
    return value === undefined || value === 'none' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Of each limit the highest. */
function highest(settings: readonly LimitSettings[]): LimitSettings {
  const rank = (value: number | 'none'): number => (value === 'none' ? Number.POSITIVE_INFINITY : value);
  const found = LIMITS.flatMap((name) => {
    const values = settings.flatMap((one) => one[name] ?? []);
    const best = values.toSorted((one, other) => rank(other) - rank(one))[0];
    return best === undefined ? [] : [[name, best] as const];
  });
  return Object.fromEntries(found);
}
