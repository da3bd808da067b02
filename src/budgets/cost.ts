import type { TokensByModel } from '../store/port.ts';
import type { Cost, Prices } from './port.ts';

const MILLION = 1_000_000;

/** What tokens cost, by currency. Tokens of a model without a price cost nothing. */
export function costOf(tokens: TokensByModel, prices: Prices): readonly Cost[] {
  const amounts = new Map<string, number>();
  for (const [model, { inputTokens, outputTokens }] of Object.entries(tokens)) {
    const price = prices.get(model);
    if (price === undefined) continue;
    const amount = (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / MILLION;
    amounts.set(price.currency, (amounts.get(price.currency) ?? 0) + amount);
  }
  return [...amounts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => ({ currency, amount }));
}

/** E.g. `0.0042 USD`; more digits where there is little. */
export const costText = (costs: readonly Cost[]): string =>
  costs.map(({ currency, amount }) => `${amount.toFixed(amount < 1 ? 4 : 2)} ${currency}`).join(' + ');
