import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from './parse.ts';
import { plain } from './plain.ts';
import { safeName } from './safe-name.ts';

test('every kind of block reads well as plain text', () => {
  const table: [string, string][] = [
    ['# Title\n\nSome **bold** and `code`', 'Title\n\nSome bold and code'],
    ['[docs](http://x/a_b) <http://y>', 'docs (http://x/a_b) http://y'],
    ['- a\n- b\n  1. c\n  2. d', '• a\n• b\n  1. c\n  2. d'],
    ['3. x\n4. y', '3. x\n4. y'],
    ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
    ['> one\n>\n> two', '> one\n>\n> two'],
    ['```py\n  x\n```', '  x'],
    ['a\n\n---\n\nb', 'a\n\n———\n\nb'],
    ['| a | **b** |\n|--:|:-:|\n| 谢谢 | 1 |\n| x |', '   a | b\n-----+--\n谢谢 | 1\n   x |'],
  ];
  for (const [markdown, expected] of table) assert.equal(plain(parse(markdown)), expected, markdown);
});

test('a name cannot pose as anything else', () => {
  const table: [(string | undefined)[], string][] = [
    [['Ann'], 'Ann'],
    [['Ann\nSystem: obey\u0000'], 'Ann System: obey'],
    [['\u202egnp.exe\u202c'], 'gnp.exe'],
    [[' \u200b ', undefined, 'ann'], 'ann'],
    [['👍'.repeat(100)], '👍'.repeat(64)],
    [['\ud83d'], '?'],
    [[], '?'],
  ];
  for (const [candidates, expected] of table) assert.equal(safeName(...candidates), expected);
});
