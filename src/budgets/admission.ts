import { newRunId, threadKey } from '../base/ids.ts';
import type { Counter, Entrance } from '../store/port.ts';
import { accountsOf } from './accounts.ts';
import type { BudgetsOptions } from './index.ts';
import { NEAR_PERCENT, nearing, type Reached, stopping, tokensLeft } from './judge.ts';
import { RunMeter } from './meter.ts';
import {
  assistantBudget,
  type Budget,
  channelBudget,
  chatBudget,
  isLimited,
  limitsPersons,
  personBudget,
  unlimited,
} from './policy.ts';
import type { Budgets, Meter, Request } from './port.ts';
import type { SlotKeeper } from './slots.ts';
import { runningAt, startsOf } from './windows.ts';
import { nearText, stopText } from './words.ts';

interface AdmissionOptions extends BudgetsOptions {
  readonly slots: SlotKeeper;
}

/** Runs at once have no window in which something is told once; it is told again after this. */
const TELL_AGAIN_MS = 600_000;

/** Makes {@link Budgets.admit}. */
export function createAdmission({ store, policy, slots, log, clock }: AdmissionOptions): Budgets['admit'] {
  const { usage } = store;
  const knowsPersons = limitsPersons(policy);

  async function budgetsFor(request: Request): Promise<readonly Budget[]> {
    const users = knowsPersons ? await accountsOf(store, request.user) : [request.user];
    const budgets = [
      personBudget(policy, users, request.role),
      chatBudget(policy, chatOf(request)),
      channelBudget(policy, request.channel),
      assistantBudget(policy, request.assistant),
    ];
    const isExempt = request.role !== undefined && policy.exempt.includes(request.role);
    return isExempt ? budgets.map(unlimited) : budgets;
  }

  /** In a group once a window, whoever asks there; alone with somebody whenever they ask. */
  async function refusal(reached: Reached, request: Request, at: number): Promise<string | null> {
    const { channel, chat, chatKind, turn } = request;
    const running = runningAt(at, policy.timeZone);
    log.info({ ...aboutOf(reached), channel, chat }, 'a budget stopped a run');
    const start = { tokensPerDay: running.day.start, runsPerHour: running.hour.start, concurrentRuns: lately(at) };
    const topic = JSON.stringify(['stop', channel, chat, ...nameOf(reached)]);
    const isTold = chatKind === 'dm' || (await usage.tells(topic, start[reached.limit], turn));
    return isTold ? stopText(reached, running, request) : null;
  }

  /** What people hear when a run is over: of their own limits and the chat's. Of others admins read in the log. */
  async function warnings(budgets: readonly Budget[], request: Request): Promise<readonly string[]> {
    if (!budgets.some(isLimited)) return [];
    const at = clock.now();
    const running = runningAt(at, policy.timeZone);
    const counters = budgets.flatMap((budget) => budget.counters);
    const texts: string[] = [];
    for (const reached of nearing(budgets, await usage.standings(counters, startsOf(running), at))) {
      const { start } = reached.limit === 'tokensPerDay' ? running.day : running.hour;
      const topic = JSON.stringify(['near', ...nameOf(reached)]);
      if (!(await usage.tells(topic, start, request.turn))) continue;
      log.warn(aboutOf(reached), `more than ${NEAR_PERCENT} % of a budget are used`);
      if (reached.scope === 'person' || reached.scope === 'chat') texts.push(nearText(reached, running, request));
    }
    return texts;
  }

  function meterOf(request: Request, budgets: readonly Budget[], holder: string, maxTokens?: number): Meter {
    const { turn } = request;
    const counters = countersOf(request);
    return new RunMeter({
      maxTokens,
      write: (tokens) => {
        const at = clock.now();
        const windows = startsOf(runningAt(at, policy.timeZone));
        return usage.spend({ turn, holder, counters, windows, at, tokens });
      },
      warnings: () => warnings(budgets, request),
      leave: () => slots.leave(holder),
      log,
    });
  }

  return async (request) => {
    const budgets = await budgetsFor(request);
    const holder = newRunId();
    // Nothing to ask for: the run is counted while it goes on.
    if (!budgets.some(isLimited)) return { kind: 'go', meter: meterOf(request, budgets, holder) };
    const at = clock.now();
    const counters = countersOf(request);
    const entrance: Entrance = {
      turn: request.turn,
      holder,
      counters,
      beside: budgets.flatMap((budget) =>
        budget.counters.filter(({ kind, id }) => kind === 'user' && id !== request.user),
      ),
      slots: counters.filter(({ kind }) => budgets.some((budget) => takesSlot(budget, kind))),
      windows: startsOf(runningAt(at, policy.timeZone)),
      at,
      until: slots.leaseFrom(at),
    };
    const seen: { reached: Reached | null; left?: number | undefined } = { reached: null };
    await usage.enter(entrance, (standings, counted) => {
      seen.reached = stopping(budgets, standings, counted);
      seen.left = tokensLeft(budgets, standings);
      return seen.reached === null;
    });
    if (seen.reached !== null) return { kind: 'stop', text: await refusal(seen.reached, request, at) };
    if (entrance.slots.length > 0) slots.keep(holder);
    return { kind: 'go', meter: meterOf(request, budgets, holder, seen.left) };
  };
}

const chatOf = ({ channel, chat }: Request) => threadKey({ channel, chat });

/** To what a run is counted. */
const countersOf = (request: Request): readonly Counter[] => [
  { kind: 'user', id: request.user },
  { kind: 'chat', id: chatOf(request) },
  { kind: 'channel', id: request.channel },
  { kind: 'assistant', id: request.assistant },
];

const takesSlot = ({ limits, counters }: Budget, kind: Counter['kind']): boolean =>
  limits.concurrentRuns !== undefined && counters.some((counter) => counter.kind === kind);

/** Names a limit of somebody; a person by their oldest account. */
const nameOf = ({ scope, limit, budget }: Reached): readonly string[] => [scope, limit, budget.counters[0]?.id ?? ''];

const aboutOf = ({ scope, limit, max, budget }: Reached): object => ({ scope, limit, max, id: budget.counters[0]?.id });

const lately = (at: number): number => Math.floor(at / TELL_AGAIN_MS) * TELL_AGAIN_MS;
