import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Store } from '../store/port.ts';
import { createAdmission } from './admission.ts';
import type { BudgetPolicy, Budgets, Prices } from './port.ts';
import { SlotKeeper } from './slots.ts';
import { createViews } from './views.ts';

export interface BudgetsOptions {
  readonly store: Pick<Store, 'usage' | 'imUsers' | 'persons'>;
  readonly policy: BudgetPolicy;
  readonly prices: Prices;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * The budgets of this process's runs; all processes count in one database.
 *
 * @example
 * const admitted = await budgets.admit(request);
 * if (admitted.kind === 'stop') return admitted.text;
 * await using meter = admitted.meter;
 */
export function createBudgets(options: BudgetsOptions): Budgets {
  const { store, log, clock } = options;
  const slots = new SlotKeeper({ usage: store.usage, log, clock });
  return { admit: createAdmission({ ...options, slots }), ...createViews(options), stop: () => slots.stop() };
}
