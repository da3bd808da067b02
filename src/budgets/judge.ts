import type { Counter, Standing, TokensByModel } from '../store/port.ts';
import { type Budget, LIMITS } from './policy.ts';
import type { LimitName, Scope } from './port.ts';

/** From this share of a limit on people are told of it. */
export const NEAR_PERCENT = 80;

/** What a budget's counters come to. */
export interface Use {
  readonly tokens: TokensByModel;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly runsToday: number;
  readonly runsThisHour: number;
  readonly running: number;
}

/** A limit that is reached, or near. */
export interface Reached {
  readonly budget: Budget;
  readonly scope: Scope;
  readonly limit: LimitName;
  readonly max: number;
}

/** Adds up how a budget's counters stand. */
export function useOf(budget: Budget, standings: readonly Standing[]): Use {
  const isOwn = ({ counter }: Standing): boolean => budget.counters.some((one) => isSame(one, counter));
  const own = standings.filter(isOwn);
  const sum = (of: (standing: Standing) => number): number => own.reduce((total, one) => total + of(one), 0);
  const tokens = addedUp(own.map((standing) => standing.tokens));
  const all = Object.values(tokens);
  return {
    tokens,
    inputTokens: all.reduce((total, { inputTokens }) => total + inputTokens, 0),
    outputTokens: all.reduce((total, { outputTokens }) => total + outputTokens, 0),
    runsToday: sum(({ runsToday }) => runsToday),
    runsThisHour: sum(({ runsThisHour }) => runsThisHour),
    running: sum(({ running }) => running),
  };
}

const isSame = (one: Counter, other: Counter): boolean => one.kind === other.kind && one.id === other.id;

function addedUp(all: readonly TokensByModel[]): TokensByModel {
  const total: Record<string, TokensByModel[string]> = {};
  for (const [model, { inputTokens, outputTokens }] of all.flatMap((tokens) => Object.entries(tokens))) {
    const so_far = total[model];
    total[model] = {
      inputTokens: (so_far?.inputTokens ?? 0) + inputTokens,
      outputTokens: (so_far?.outputTokens ?? 0) + outputTokens,
    };
  }
  return total;
}

const usedOf = (limit: LimitName, { inputTokens, outputTokens, runsThisHour, running }: Use): number =>
  ({ tokensPerDay: inputTokens + outputTokens, runsPerHour: runsThisHour, concurrentRuns: running })[limit];

/**
 * What stops a run from beginning, the limit that lasts longest first; null: nothing. A turn that was counted before is
 * not stopped by the number of runs: it is one of them.
 */
export function stopping(budgets: readonly Budget[], standings: readonly Standing[], counted: boolean): Reached | null {
  for (const limit of LIMITS) {
    if (limit === 'runsPerHour' && counted) continue;
    const found = reached(budgets, standings, limit, 1);
    if (found[0] !== undefined) return found[0];
  }
  return null;
}

/** The limits of days and hours of which most is used. */
export const nearing = (budgets: readonly Budget[], standings: readonly Standing[]): readonly Reached[] =>
  (['tokensPerDay', 'runsPerHour'] as const).flatMap((limit) => reached(budgets, standings, limit, NEAR_PERCENT / 100));

function reached(
  budgets: readonly Budget[],
  standings: readonly Standing[],
  limit: LimitName,
  share: number,
): readonly Reached[] {
  return budgets.flatMap((budget) => {
    const max = budget.limits[limit];
    if (max === undefined || usedOf(limit, useOf(budget, standings)) < max * share) return [];
    return [{ budget, scope: budget.scope, limit, max }];
  });
}

/** Tokens that all budgets together leave; undefined: no limit. */
export function tokensLeft(budgets: readonly Budget[], standings: readonly Standing[]): number | undefined {
  const left = budgets.flatMap((budget) => {
    const max = budget.limits.tokensPerDay;
    return max === undefined ? [] : [Math.max(0, max - usedOf('tokensPerDay', useOf(budget, standings)))];
  });
  return left.length === 0 ? undefined : Math.min(...left);
}
