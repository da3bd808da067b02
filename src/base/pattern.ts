/** Does the whole of `value` look like `pattern`, in which `*` stands for any characters, or none? Linear. */
export function matches(pattern: string, value: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === value;
  if (!value.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = value.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}
