/**
 * Reads JSON without losing digits: message ids are unsigned 64-bit numbers, written as numbers. Those that JavaScript
 * cannot hold exactly become texts of the same digits.
 *
 * @throws SyntaxError
 */
export function parseLossless(text: string): unknown {
  return (JSON.parse as Parse)(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? source
      : value,
  );
}

/** With the reviver's third argument: https://github.com/tc39/proposal-json-parse-with-source */
type Parse = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
