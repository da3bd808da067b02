import { AntlerError } from '../../../base/errors.ts';
import { CONSTANTS, FUNCTIONS, factorial } from './functions.ts';
import { type Sign, type Token, tokenize } from './tokens.ts';

const MAX_CHARS = 1000;
const MAX_DEPTH = 60;

/**
 * Works out an arithmetic expression: `+ - * / ^`, `!`, parentheses, functions, constants. `%` behind a number is per
 * cent (`200 * 15%`), between two numbers the remainder (`17 % 5`).
 * @throws AntlerError `bad_input` that says what is wrong with it.
 */
export function evaluate(expression: string): number {
  if (expression.length > MAX_CHARS) throw new AntlerError('bad_input', `at most ${MAX_CHARS} characters`);
  const parser = new Parser(tokenize(expression));
  const value = parser.expression();
  parser.expectEnd();
  if (Number.isNaN(value)) throw new AntlerError('bad_input', 'this has no real result');
  if (!Number.isFinite(value)) throw new AntlerError('bad_input', 'the result is too large, or a division by zero');
  return value;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  expression(): number {
    // Each level of parentheses costs several calls: deep nesting must not overflow the stack.
    if (++this.#depth > MAX_DEPTH) throw new AntlerError('bad_input', 'nested too deeply');
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign !== null; sign = this.#take('+', '-'))
      value = sign === '+' ? value + this.#product() : value - this.#product();
    this.#depth--;
    return value;
  }

  expectEnd(): void {
    if (this.#at < this.#tokens.length) throw new AntlerError('bad_input', `did not expect ${this.#describe()}`);
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#take('*', '/', '%'); sign !== null; sign = this.#take('*', '/', '%')) {
      const right = this.#signed();
      if (sign !== '*' && right === 0) throw new AntlerError('bad_input', 'a division by zero');
      if (sign === '*') value *= right;
      else value = sign === '/' ? value / right : value % right;
    }
    return value;
  }

  /** A sign binds less than a power: -2^2 is -4. */
  #signed(): number {
    let negative = false;
    for (let sign = this.#take('+', '-'); sign !== null; sign = this.#take('+', '-'))
      if (sign === '-') negative = !negative;
    const value = this.#power();
    return negative ? -value : value;
  }

  #power(): number {
    const base = this.#postfix();
    if (this.#take('^') === null) return base;
    // To the right: 2^3^2 is 2^9.
    if (++this.#depth > MAX_DEPTH) throw new AntlerError('bad_input', 'nested too deeply');
    const value = base ** this.#signed();
    this.#depth--;
    return value;
  }

  #postfix(): number {
    let value = this.#atom();
    for (;;) {
      if (this.#take('!') !== null) value = factorial(value);
      else if (this.#peekSign() === '%' && !this.#startsOperand(this.#tokens[this.#at + 1])) {
        this.#at++;
        value /= 100;
      } else return value;
    }
  }

  #atom(): number {
    const token = this.#tokens[this.#at];
    if (token?.kind === 'number') {
      this.#at++;
      return token.value;
    }
    if (token?.kind === 'name') {
      this.#at++;
      return this.#named(token.name);
    }
    if (this.#take('(') === null) throw new AntlerError('bad_input', `expected a number, found ${this.#describe()}`);
    const value = this.expression();
    this.#expect(')');
    return value;
  }

  #named(name: string): number {
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return constant;
    const called = FUNCTIONS.get(name);
    if (called === undefined)
      throw new AntlerError('bad_input', `${name} is unknown; functions: ${[...FUNCTIONS.keys()].join(', ')}`);
    this.#expect('(');
    const args: number[] = [];
    if (this.#peekSign() !== ')') {
      do args.push(this.expression());
      while (this.#take(',') !== null);
    }
    this.#expect(')');
    if (args.length < called.least || args.length > called.most)
      throw new AntlerError('bad_input', `${name} does not take ${args.length} numbers`);
    return called.apply(...args);
  }

  #startsOperand(token: Token | undefined): boolean {
    return token !== undefined && (token.kind !== 'sign' || token.sign === '(');
  }

  #peekSign(): Sign | null {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' ? token.sign : null;
  }

  #take(...signs: Sign[]): Sign | null {
    const sign = this.#peekSign();
    if (sign === null || !signs.includes(sign)) return null;
    this.#at++;
    return sign;
  }

  #expect(sign: Sign): void {
    if (this.#take(sign) === null) throw new AntlerError('bad_input', `expected ${sign}, found ${this.#describe()}`);
  }

  #describe(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) return 'the end';
    if (token.kind === 'number') return String(token.value);
    return token.kind === 'name' ? token.name : token.sign;
  }
}
