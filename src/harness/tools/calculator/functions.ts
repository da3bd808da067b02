import { AntlerError } from '../../../base/errors.ts';

export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
]);

interface MathFunction {
  readonly least: number;
  readonly most: number;
  apply(...args: number[]): number;
}

const one = (apply: (value: number) => number): MathFunction => ({ least: 1, most: 1, apply });
const two = (apply: (a: number, b: number) => number): MathFunction => ({ least: 2, most: 2, apply });
const many = (apply: (...values: number[]) => number): MathFunction => ({ least: 1, most: 100, apply });

export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ['sqrt', one(Math.sqrt)],
  ['√', one(Math.sqrt)],
  ['cbrt', one(Math.cbrt)],
  ['abs', one(Math.abs)],
  ['floor', one(Math.floor)],
  ['ceil', one(Math.ceil)],
  ['trunc', one(Math.trunc)],
  ['sign', one(Math.sign)],
  ['exp', one(Math.exp)],
  ['ln', one(Math.log)],
  ['log2', one(Math.log2)],
  ['log10', one(Math.log10)],
  ['log', { least: 1, most: 2, apply: logarithm }],
  ['sin', one(Math.sin)],
  ['cos', one(Math.cos)],
  ['tan', one(Math.tan)],
  ['asin', one(Math.asin)],
  ['acos', one(Math.acos)],
  ['atan', one(Math.atan)],
  ['atan2', two(Math.atan2)],
  ['hypot', many(Math.hypot)],
  ['pow', two((base, exponent) => base ** exponent)],
  ['mod', two((a, b) => a % b)],
  ['min', many(Math.min)],
  ['max', many(Math.max)],
  ['sum', many((...values) => values.reduce((total, value) => total + value, 0))],
  ['avg', many((...values) => values.reduce((total, value) => total + value, 0) / values.length)],
  ['round', { least: 1, most: 2, apply: round }],
  ['factorial', one(factorial)],
]);

/** Base 10 unless another is named. */
function logarithm(value: number, base = 10): number {
  if (base === 10) return Math.log10(value);
  return base === 2 ? Math.log2(value) : Math.log(value) / Math.log(base);
}

/** Half away from zero, as people round; by decimal digits, so that 1.005 to 2 places is 1.01. */
function round(value: number, places = 0): number {
  if (!Number.isInteger(places) || Math.abs(places) > 15)
    throw new AntlerError('bad_input', 'round takes a whole number of places from -15 to 15');
  const shifted = Math.round(shift(Math.abs(value), places));
  return Math.sign(value) * shift(shifted, -places);
}

function shift(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

export function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170)
    throw new AntlerError('bad_input', 'a factorial needs a whole number from 0 to 170');
  let product = 1;
  for (let n = 2; n <= value; n++) product *= n;
  return product;
}
