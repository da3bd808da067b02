import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ThoughtSplitter } from './think.ts';

interface Seen {
  readonly text: string;
  readonly thoughts: string;
  /** What stood on the screen after each change. */
  readonly screens: string[];
}

function stream(pieces: readonly string[], { complete = true, beginsInThought = false } = {}): Seen {
  let screen = '';
  const screens: string[] = [];
  const show = (next: string): void => {
    screen = next;
    screens.push(screen);
  };
  const splitter = new ThoughtSplitter(
    { append: (text) => show(screen + text), replace: (text) => show(text) },
    beginsInThought,
  );
  for (const piece of pieces) splitter.push(piece);
  const { text, thoughts } = splitter.end(complete);
  assert.equal(screen, text, 'what is shown is what is kept');
  return { text, thoughts, screens };
}

const cases: Record<string, [string, string, string]> = {
  'a thought before the answer': ['<think>secret</think>Hello', 'Hello', 'secret'],
  'line ends after the thought': ['<think>secret</think>\n\nHello', 'Hello', 'secret'],
  'no opening tag': ['secret</think>Hello', 'Hello', 'secret'],
  'a thought that never ends': ['<think>secret', '', 'secret'],
  'two thoughts': ['<think>a</think>Hello <think>b</think>World', 'Hello World', 'ab'],
  'in a code span': ['use `<think>` tag', 'use `<think>` tag', ''],
  'in a double code span': ['use ``<think> ` ``', 'use ``<think> ` ``', ''],
  'in a fence': ['```\n<think>a</think>\n```\n', '```\n<think>a</think>\n```\n', ''],
  'behind a fence': ['```\nx\n```\n<think>s</think>y', '```\nx\n```\ny', 's'],
  'behind a forgotten backtick': ['5` long\n<think>s</think>y', '5` long\ny', 's'],
  'named in a sentence': ['The <think> tag is old.', 'The <think> tag is old.', ''],
  'no tag at all': ['a < b and <b>c</b> <thinker>', 'a < b and <b>c</b> <thinker>', ''],
  'capital letters and the longer name': ['<Thinking>s</Thinking>y', 'y', 's'],
  'half a tag at the end': ['Hello <thi', 'Hello <thi', ''],
};

for (const [name, [input, text, thoughts]] of Object.entries(cases))
  test(name, () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces = input.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      const seen = stream(pieces);
      assert.deepEqual([seen.text, seen.thoughts], [text, thoughts], `pieces of ${size}`);
      if (!text.includes('<'))
        for (const screen of seen.screens) assert.doesNotMatch(screen, /</, 'no part of a tag flashes');
    }
  });

test('a cut thought in the middle of a line is not shown', () => {
  assert.equal(stream(['Hello <think>secret'], { complete: false }).text, 'Hello ');
});

test('nothing of a model that begins in thought is shown before the closing tag', () => {
  const { screens } = stream(['sec', 'ret</th', 'ink>Hel', 'lo'], { beginsInThought: true });
  assert.deepEqual(screens, ['Hel', 'Hello']);
  assert.equal(stream(['Hel', 'lo'], { beginsInThought: true }).text, 'Hello');
  assert.equal(stream(['secr'], { beginsInThought: true, complete: false }).text, '');
  assert.deepEqual(stream(['<think>s</think>', 'Hel', 'lo'], { beginsInThought: true }).screens, ['Hel', 'Hello']);
});

test('where the pieces are cut makes no difference', () => {
  const part = fc.constantFrom('<think>', '</think>', '<', '/', 'think', '`', '``', '```', '\n', ' ', 'a', 'b', '谢');
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 15 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      fc.boolean(),
      (parts, cuts, complete) => {
        const input = parts.join('');
        const at = [0, ...cuts.filter((cut) => cut < input.length).toSorted((a, b) => a - b), input.length];
        const pieces = at.slice(1).map((end, index) => input.slice(at[index], end));
        const [whole, cut] = [stream([input], { complete }), stream(pieces, { complete })];
        assert.deepEqual([cut.text, cut.thoughts], [whole.text, whole.thoughts]);
      },
    ),
  );
});
