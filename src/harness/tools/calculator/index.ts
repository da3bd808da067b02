import { z } from 'zod';
import { defineTool } from '../port.ts';
import { evaluate } from './evaluate.ts';

export const calculator = defineTool({
  name: 'calculator',
  description:
    'Works out an arithmetic expression. Use it for every calculation beyond the simplest instead of calculating yourself. Knows + - * / ^ ! parentheses, % (per cent behind a number, remainder between two), pi, e, and functions such as sqrt, round(x, places), min, max, avg, log, ln, sin (radians).',
  input: z.object({ expression: z.string().describe('e.g. (19.99 * 3) * 1.19 or round(1000 / 7, 2)') }),
  trust: 'local',
  run: ({ expression }) => displayNumber(evaluate(expression)),
});

/** The digits of a double that mean something: 0.1 + 0.2 is 0.3. */
const PRECISION = 15;

export function displayNumber(value: number): string {
  if (Object.is(value, -0)) return '0';
  if (Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  const rounded = String(Number(value.toPrecision(PRECISION)));
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? `about ${rounded}` : rounded;
}
