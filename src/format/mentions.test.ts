import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linkMentions, mentionedUser, mentionUrl, writeMentions } from './mentions.ts';

const people = new Map([
  ['Ann', 'U1'],
  ['Ann Lee', 'U2'],
  ['张三', 'ou_3'],
  ['a_b', 'U4'],
]);

test('an address by name becomes a mention, and nothing else does', () => {
  const table: [string, string][] = [
    ['@Ann please look', '[@Ann](mention:U1) please look'],
    ['hi @Ann Lee, and @Ann.', 'hi [@Ann Lee](mention:U2), and [@Ann](mention:U1).'],
    ['请@张三看一下', '请[@张三](mention:ou_3)看一下'],
    ['**@Ann**', '**[@Ann](mention:U1)**'],
    ['- [ ] @Ann: file', '- [ ] [@Ann](mention:U1): file'],
    ['@Annabel and @bob and ann@Ann.com', '@Annabel and @bob and ann@Ann.com'],
    ['`@Ann`', '`@Ann`'],
    ['```\n@Ann\n```', '```\n@Ann\n```'],
    ['[@Ann](https://example.com)', '[@Ann](https://example.com)'],
    ['@a_b', '[@a_b](mention:U4)'],
    ['nobody *here*', 'nobody *here*'],
  ];
  for (const [markdown, expected] of table) assert.equal(linkMentions(markdown, people), expected, markdown);
});

test('a text cannot call people who are not there', () => {
  assert.equal(linkMentions('[x](mention:U9) and [Ann](mention:U1)', people), 'x and [Ann](mention:U1)');
  assert.equal(linkMentions('[x](mention:%)', people), 'x');
});

test('only the block that holds a mention is written anew', () => {
  const around = '* star list\n* kept\n\n\n';
  assert.equal(linkMentions(`${around}@Ann!\n\n* also kept`, people), `${around}[@Ann](mention:U1)!\n\n* also kept`);
});

test('any id survives the way through a link, and any text the linking', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (id) => {
      assert.equal(mentionedUser(mentionUrl(id)), id.toWellFormed());
    }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('@Ann', ' ', '*', '`', '\n', '[', '](mention:U1)', '@', '张三', '- ')),
      (parts) => {
        linkMentions(parts.join(''), people);
      },
    ),
  );
});

test('a mention is written in a form of the platform’s own, and nothing else changes', () => {
  const write = (user: string | null): string | undefined => (user?.startsWith('U') ? `<@${user}>` : undefined);
  const table: [string, string][] = [
    ['[@Ann](mention:U1), see *this*_ `[x](mention:U1)`', '<@U1>, see *this*\\_ `[x](mention:U1)`'],
    ['**[@Ann](mention:U1)** and [@Bo\\_b](mention:X%201)', '**<@U1>** and @Bo_b'],
    ['* as it was\n\nof [@Ann](mention:U1)\n\n* as  it _was_', '* as it was\n\nof <@U1>\n\n* as  it _was_'],
    ['| a |\n|---|\n| [@Ann](mention:U1) |', '| a |\n| - |\n| <@U1> |'],
    ['```\n[@Ann](mention:U1)\n```', '```\n[@Ann](mention:U1)\n```'],
    ['[a](https://h/mention:U1)', '[a](https://h/mention:U1)'],
  ];
  for (const [markdown, written] of table) assert.equal(writeMentions(markdown, write), written, markdown);
});
