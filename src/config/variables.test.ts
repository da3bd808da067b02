// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the configuration's, not JavaScript's
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveVariables } from './variables.ts';

const env = { A: 'one', B_2: 'two', EMPTY: '', DOLLAR: '$A' };

const cases: readonly (readonly [string, string, (readonly string[])?])[] = [
  ['plain', 'plain'],
  ['$A', 'one'],
  ['${A}', 'one'],
  ['<$A-${B_2}>', '<one-two>'],
  ['$A$B_2', 'onetwo'],
  ['${NONE:-x y}', 'x y'],
  ['${EMPTY:-x}', 'x'],
  ['${NONE:-}', ''],
  ['$$A', '$A'],
  ['$$$A', '$one'],
  ['$5 and 10$', '$5 and 10$'],
  ['$DOLLAR', '$A'],
  ['$NONE', '', ['NONE']],
  ['$EMPTY', '', ['EMPTY']],
  ['$A ${NONE} $OTHER', 'one  ', ['NONE', 'OTHER']],
];

for (const [source, text, missing = []] of cases)
  test(`${source} reads "${text}"`, () => {
    const resolved = resolveVariables(source, env);
    assert.equal(resolved.text, text);
    assert.deepEqual(resolved.missing, missing);
    assert.equal(resolved.malformed, false);
  });

test('a brace without its end, and shell forms that are not known, are malformed', () => {
  for (const source of ['${A', '${A-x}', '${A:?x}', '${}', '${1}'])
    assert.equal(resolveVariables(source, env).malformed, true, source);
});
