import { AntlerError } from '../../../base/errors.ts';

export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sign'; readonly sign: Sign };

const SIGNS = ['+', '-', '*', '/', '%', '^', '(', ')', ',', '!'] as const;
export type Sign = (typeof SIGNS)[number];

/** Other ways in which people and models write the same signs. */
const SAME_SIGN: Readonly<Record<string, Sign>> = {
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
  '（': '(',
  '）': ')',
  '，': ',',
};

/** Digits, or groups of three parted by `_`; commas part arguments. */
const NUMBER = /^(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?/i;
const NAME = /^[a-zπ√][a-z0-9_]*/i;

/** @throws AntlerError `bad_input` at a character that has no meaning here. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const number = NUMBER.exec(rest)?.[0];
    const name = number === undefined ? NAME.exec(rest)?.[0] : undefined;
    const taken = number ?? name ?? (rest.startsWith('**') ? '**' : ([...rest][0] ?? ''));
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number.replaceAll('_', '')) });
    else if (name !== undefined) tokens.push({ kind: 'name', name: name.toLowerCase() });
    else tokens.push({ kind: 'sign', sign: readSign(taken) });
    rest = rest.slice(taken.length).trimStart();
  }
  return tokens;
}

function readSign(text: string): Sign {
  const sign = text === '**' ? '^' : (SAME_SIGN[text] ?? SIGNS.find((known) => known === text));
  if (sign === undefined)
    throw new AntlerError('bad_input', `the character ${JSON.stringify(text)} has no meaning here`);
  return sign;
}
