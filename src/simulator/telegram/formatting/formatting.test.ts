import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api-error.ts';
import type { WireEntity } from '../wire.ts';
import { format } from './index.ts';

/** `type offset+length[ detail]`, so that a case fits on a line. */
const brief = ({ type, offset, length, url, language }: WireEntity): string =>
  [`${type} ${offset}+${length}`, url ?? language].filter((part) => part !== undefined).join(' ');

const readable: readonly (readonly [mode: string, source: string, text: string, ...entities: string[]])[] = [
  ['HTML', 'a <b>bold <i>both</i></b>', 'a bold both', 'bold 2+9', 'italic 7+4'],
  ['HTML', '<a href="https://h/a_b?x=1&amp;y=2">l</a>', 'l', 'text_link 0+1 https://h/a_b?x=1&y=2'],
  ['HTML', '<pre><code class="language-ts">a &lt; b</code></pre>', 'a < b', 'pre 0+5 ts'],
  ['HTML', '<code>x</code> <s>y</s> <u>z</u>', 'x y z', 'code 0+1', 'strikethrough 2+1', 'underline 4+1'],
  ['HTML', '<tg-spoiler>x</tg-spoiler><span class="tg-spoiler">y</span>', 'xy', 'spoiler 0+1', 'spoiler 1+1'],
  ['HTML', '<blockquote expandable>q</blockquote>', 'q', 'expandable_blockquote 0+1'],
  ['HTML', '𠮷<b>😀</b>&#128512;', '𠮷😀😀', 'bold 2+2'],
  ['HTML', '  <b>x</b>  ', 'x', 'bold 0+1'],
  ['HTML', 'a<b> </b>b &copy; > "', 'a b &copy; > "'],
  [
    'MarkdownV2',
    '*b _i_* __u__ ~s~ ||x||',
    'b i u s x',
    'bold 0+3',
    'italic 2+1',
    'underline 4+1',
    'strikethrough 6+1',
    'spoiler 8+1',
  ],
  ['MarkdownV2', '1\\. a\\-b \\\\', '1. a-b \\'],
  ['MarkdownV2', '[l](https://h/a\\)b)', 'l', 'text_link 0+1 https://h/a)b'],
  ['MarkdownV2', '`a.b` ```ts\nx = 1;\n```', 'a.b x = 1;', 'code 0+3', 'pre 4+6 ts'],
  ['MarkdownV2', '>q1\n>q2\nafter', 'q1\nq2\nafter', 'blockquote 0+5'],
  ['MarkdownV2', '>q1\n>q2||', 'q1\nq2', 'expandable_blockquote 0+5'],
  [
    'Markdown',
    '*b* _i_ `c` [l](https://h)',
    'b i c l',
    'bold 0+1',
    'italic 2+1',
    'code 4+1',
    'text_link 6+1 https://h',
  ],
  ['Markdown', 'a\\_b', 'a_b'],
  [
    '',
    'see https://h.example/a_b, @ann_b and /help@antler_bot #tag',
    'see https://h.example/a_b, @ann_b and /help@antler_bot #tag',
    'url 4+21',
    'mention 27+6',
    'bot_command 38+16',
    'hashtag 55+4',
  ],
  ['', '/123 /new中文 a/b mail a.b@c.de', '/123 /new中文 a/b mail a.b@c.de', 'email 21+8'],
];

for (const [mode, source, text, ...entities] of readable)
  test(`${mode || 'plain'} reads ${JSON.stringify(source)}`, () => {
    const formatted = format(source, mode, []);
    assert.equal(formatted.text, text);
    assert.deepEqual(formatted.entities.map(brief), entities);
  });

const refused: readonly (readonly [mode: string, source: string, reason: string])[] = [
  ['HTML', '<b>x', 'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"'],
  ['HTML', 'é<x>y</x>', 'can\'t parse entities: Unsupported start tag "x" at byte offset 2'],
  ['HTML', 'a < b', 'can\'t parse entities: Unsupported start tag "" at byte offset 2'],
  ['HTML', '<b>x</i>', 'can\'t parse entities: Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ['HTML', 'x</b>', "can't parse entities: Unexpected end tag at byte offset 1"],
  ['HTML', '<b', "can't parse entities: Unclosed start tag at byte offset 0"],
  ['MarkdownV2', 'a.', "can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'"],
  ['MarkdownV2', 'a|b', "can't parse entities: Character '|' is reserved and must be escaped with the preceding '\\'"],
  [
    'MarkdownV2',
    'a > b',
    "can't parse entities: Character '>' is reserved and must be escaped with the preceding '\\'",
  ],
  ['MarkdownV2', 'é *x', "can't parse entities: Can't find end of Bold entity at byte offset 3"],
  ['MarkdownV2', '```x', "can't parse entities: Can't find end of Pre entity at byte offset 0"],
  ['MarkdownV2', '[l](https://h', "can't parse entities: Can't find end of a URL at byte offset 3"],
  ['Markdown', 'a_b', "can't parse entities: Can't find end of the entity starting at byte offset 1"],
  ['Bold', 'x', 'unsupported parse_mode'],
];

const reasonOf = (action: () => unknown): string => {
  try {
    action();
    return 'none';
  } catch (error) {
    return error instanceof ApiError ? error.message : String(error);
  }
};

for (const [mode, source, reason] of refused)
  test(`${mode} refuses ${JSON.stringify(source)}`, () => {
    assert.equal(
      reasonOf(() => format(source, mode, [])),
      `Bad Request: ${reason}`,
    );
  });

test('entities outside the text or through a surrogate pair are refused', () => {
  const bold = (offset: number, length: number): string =>
    reasonOf(() => format('a𠮷b', '', [{ type: 'bold', offset, length }]));
  assert.equal(bold(1, 2), 'none');
  assert.match(bold(2, 1), /begins in a middle of a UTF-16 symbol/);
  assert.match(bold(0, 2), /beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol/);
  assert.match(bold(0, 9), /ends after the end of the text at UTF-16 offset 9/);
});
