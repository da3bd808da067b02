import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AntlerError } from '../../../base/errors.ts';
import { evaluate } from './evaluate.ts';
import { displayNumber } from './index.ts';

const results: Record<string, string> = {
  '1 + 2 * 3': '7',
  '(1 + 2) * 3': '9',
  '0.1 + 0.2': '0.3',
  '1.1 * 1.1': '1.21',
  '-2^2': '-4',
  '2^3^2': '512',
  '2 ** 10': '1024',
  '2^-1': '0.5',
  '--3': '3',
  '17 % 5': '2',
  '200 * 15%': '30',
  '50% + 1': '1.5',
  '(10)%': '0.1',
  '5!': '120',
  '10 / 4': '2.5',
  '1 / 3': '0.333333333333333',
  '1_000_000 * 2': '2000000',
  '1e3 + .5': '1000.5',
  'sqrt(2)^2': '2',
  'round(1.005, 2)': '1.01',
  'round(-2.5)': '-3',
  'round(1234, -2)': '1200',
  'max(1, 5, 3) - MIN(2, 4)': '3',
  'avg(1, 2, 3, 4)': '2.5',
  'log(1000) + ln(e) + log(8, 2)': '7',
  '2 × 3 ÷ 4 − 1': '0.5',
  '（1，2）': 'error',
  'sum（1，2）': '3',
  pi: '3.14159265358979',
  '2^64': 'about 18446744073709600000',
  '0 * -1': '0',
  '1 / 0': 'error',
  '5 % 0': 'error',
  'sqrt(-1)': 'error',
  '2 +': 'error',
  '(1': 'error',
  '1 2': 'error',
  '': 'error',
  'constructor(1)': 'error',
  __proto__: 'error',
  'process.exit()': 'error',
  sqrt: 'error',
  'atan2(1)': 'error',
  '10^400': 'error',
};

for (const [expression, result] of Object.entries(results))
  test(`${expression} → ${result}`, () => {
    if (result === 'error') assert.throws(() => evaluate(expression), AntlerError);
    else assert.equal(displayNumber(evaluate(expression)), result);
  });

test('deep nesting is refused instead of overflowing the stack', () => {
  assert.throws(() => evaluate(`${'('.repeat(400)}1${')'.repeat(400)}`), { code: 'bad_input' });
  assert.throws(() => evaluate(`${'2^'.repeat(400)}2`), { code: 'bad_input' });
});

test('no text makes it fail in any other way', () => {
  const piece = fc.constantFrom('1', '2.5', '+', '-', '*', '/', '%', '^', '(', ')', '!', ',', 'sqrt', 'max', 'pi', ' ');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      ),
      (text) => {
        try {
          assert.ok(Number.isFinite(evaluate(text)));
        } catch (thrown) {
          assert.ok(thrown instanceof AntlerError && thrown.code === 'bad_input', String(thrown));
        }
      },
    ),
  );
});
