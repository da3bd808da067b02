import { AntlerError } from '../../../base/errors.ts';

const MAX_PATTERN_CHARS = 200;
const MAX_ALTERNATIVES = 64;

/**
 * Reads a pattern: `*` and `?` within a name, `**` over folders, `{a,b}` for either. One without a slash is looked for in
 * every folder. Matching takes time in proportion to the lengths, whatever the pattern: no regular expression is made
 * of it.
 *
 * @throws AntlerError `bad_input`.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new AntlerError('bad_input', `a pattern has at most ${MAX_PATTERN_CHARS} characters`);
  const plain = pattern.replace(/^\.?\//, '');
  const anywhere = plain.includes('/') ? plain : `**/${plain}`;
  const alternatives = expanded(anywhere).map((one) => one.split('/').filter((name) => name !== ''));
  return (path) => {
    const names = path.split('/');
    return alternatives.some((parts) => matchNames(parts, names));
  };
}

function expanded(pattern: string): readonly string[] {
  let found = [pattern];
  for (;;) {
    const next = found.flatMap((one) => {
      const group = /\{([^{}]*)\}/.exec(one);
      if (group === null) return [one];
      const rest = one.slice(group.index + group[0].length);
      return (group[1] ?? '').split(',').map((choice) => one.slice(0, group.index) + choice + rest);
    });
    if (next.length > MAX_ALTERNATIVES) throw new AntlerError('bad_input', 'the pattern has too many alternatives');
    if (next.every((one, index) => one === found[index])) return found;
    found = next;
  }
}

/** Of lists of names, where `**` stands for any number of them; a star that came later is never taken back further. */
const matchNames = (parts: readonly string[], names: readonly string[]): boolean =>
  matches(parts, names, (part) => part === '**', matchName);

const matchName = (part: string, name: string): boolean =>
  matches(
    [...part],
    [...name],
    (char) => char === '*',
    (char, other) => char === '?' || char === other,
  );

function matches(
  pattern: readonly string[],
  items: readonly string[],
  isStar: (part: string) => boolean,
  isSame: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let item = 0; item < items.length; ) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = at++;
      taken = item;
    } else if (part !== undefined && isSame(part, items[item] ?? '')) {
      at++;
      item++;
    } else if (star !== -1) {
      at = star + 1;
      item = ++taken;
    } else return false;
  }
  return pattern.slice(at).every(isStar);
}
