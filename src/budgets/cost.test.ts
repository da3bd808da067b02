import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costOf, costText } from './cost.ts';
import type { Prices } from './port.ts';

const prices: Prices = new Map([
  ['main', { inputPerMillion: 2, outputPerMillion: 10, currency: 'USD' }],
  ['small', { inputPerMillion: 0.5, outputPerMillion: 1, currency: 'USD' }],
  ['qwen', { inputPerMillion: 4, outputPerMillion: 12, currency: 'CNY' }],
]);
const M = 1_000_000;

test('tokens cost what their models cost, by currency; those without a price cost nothing', () => {
  const tokens = {
    main: { inputTokens: M, outputTokens: M / 2 },
    small: { inputTokens: M, outputTokens: 0 },
    qwen: { inputTokens: 0, outputTokens: M },
    own: { inputTokens: M, outputTokens: M },
  };
  const costs = costOf(tokens, prices);
  assert.deepEqual(costs, [
    { currency: 'CNY', amount: 12 },
    { currency: 'USD', amount: 7.5 },
  ]);
  assert.equal(costText(costs), '12.00 CNY + 7.50 USD');
  assert.deepEqual(costOf({ own: { inputTokens: 5, outputTokens: 5 } }, prices), []);
  assert.equal(costText(costOf({ main: { inputTokens: 100, outputTokens: 0 } }, prices)), '0.0002 USD');
});
