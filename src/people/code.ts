import { randomInt } from 'node:crypto';

/** Nothing that can be taken for another: no 0 and O, no 1, I and L. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** A code of {@link LENGTH} characters, about 40 bits. */
export function newCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** As people read it: `ABCD-EFGH`. */
export const showCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** What somebody typed, in any writing; null when it cannot be a code. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '');
  return code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character)) ? code : null;
}
