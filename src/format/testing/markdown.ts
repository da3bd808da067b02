import fc from 'fast-check';

const word = fc.constantFrom(
  ...[
    'alpha',
    'snake_case',
    '2*3*4',
    '__init__',
    '谢谢',
    '**重点：**内容',
    '👨‍👩‍👧‍👦',
    '👍🏽',
    '𠮷',
    'https://h/a_b?c=d_e',
    'a@b.de',
  ],
  ...[
    '<b>',
    '&amp;',
    '\\*',
    '[x]',
    '1.',
    '-',
    '#',
    '`code`',
    '**bold**',
    '_it_',
    '~~no~~',
    '[l](http://x.y/z_)',
    '|',
    '~5',
  ],
  ...['!', '$x$'],
);
const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));
const prose = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('. '));
const codeLine = fc.string({
  maxLength: 60,
  unit: fc.constantFrom('a', ' ', '`', '~', '{', '谢', '👍🏽', '\t', '|', '*'),
});
const fence = fc
  .tuple(fc.constantFrom('', 'py', 'objective-c', 'c++'), fc.array(codeLine, { maxLength: 20 }))
  .map(
    ([lang, lines]) => `\`\`\`\`\`${lang}\n${lines.map((line) => line.replaceAll('`````', '')).join('\n')}\n\`\`\`\`\``,
  );
const items = fc.array(prose, { minLength: 1, maxLength: 8 });
const bullets = items.map((all) => all.map((item) => `- ${item}`).join('\n'));
const numbers = items.map((all) => all.map((item, n) => `${n + 3}. ${item}`).join('\n'));
const nested = fc.tuple(sentence, bullets).map(([top, inner]) => `- ${top}\n${inner.replace(/^/gm, '  ')}`);
const quote = fc.tuple(prose, fence).map((blocks) => blocks.join('\n\n').replace(/^/gm, '> '));
const heading = sentence.map((title) => `## ${title}`);
const block = fc.oneof(prose, fence, bullets, numbers, nested, quote, heading, fc.constant('---'));

/** What models write: every kind of block but tables, with everything that is hard to cut in it. */
export const answers = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

/** Characters that mean something in Markdown, in no order at all. */
export const soup = fc.string({
  maxLength: 300,
  unit: fc.constantFrom(
    ...'ab *_`~[]()<>#|-+>!\n\t\\&;:1.谢'.split(''),
    '👍🏽',
    '\ud83d',
    '\r\n',
    '\u0000',
    '\n\n',
    '```',
    '- ',
    '  ',
  ),
});

/** Lines at which blocks begin, go on and end, in no order at all: what segments are told apart by. */
export const lines = fc
  .array(
    fc.constantFrom(
      ...[
        '',
        '',
        '',
        '  ',
        'a',
        'b *c*',
        '- a',
        '* b',
        '  - c',
        '1. d',
        '3. e',
        '> f',
        '> ',
        '    g',
        '\tt',
        '  h',
        'i  ',
      ],
      ...[
        '```',
        '````',
        '```js',
        '```js `x`',
        ' ```',
        '  ```js',
        '    ```',
        '- ```',
        '   ls',
        '~~~',
        '> ```',
        '- \t```',
      ],
      ...['|a|b|', '|-|-|', '|:-|-:|', '|x', '|', '| `a\\|b` | c |', '|**b**|[x](y) |', '| a | # |', '  |a|', '|---|'],
      ...[
        '<div>',
        '<pre>',
        '</pre>',
        '<!-- x -->',
        '<!--',
        '-->',
        '[a]: /u',
        '[a]',
        '[^1]: k',
        '[^1]',
        '---',
        '=',
        '# l',
      ],
      ...['http://a.b', 'c@d.e', '2020. year', '&amp;', '-', ':-', '* * *'],
    ),
    { maxLength: 14 },
  )
  .map((all) => all.join('\n'));

/** What may try to make somebody click on what is no page: links and tags of every spelling, between marks and bits of blocks. */
export const traps = fc
  .array(
    fc.constantFrom(
      ...['[x](javascript:alert(1))', '![p](data:text/html,z)', '[f](file:///etc/passwd)', '<file:///etc/q>'],
      ...['<javascript:alert(1)>', '[r][1]', '\n\n[1]: javascript:a\n\n', '`[c](javascript:x)`', '\\[e](javascript:y)'],
      ...[
        '[t](JaVaScRiPt:a)',
        '[u]( javascript:a )',
        '[v](java\tscript:a)',
        '[w](&#106;avascript:a)',
        '](javascript:z)',
      ],
      ...['[[n](javascript:n)](https://a.example)', '![[i](javascript:i)](https://a.example/i.png)', '[m](vbscript:x)'],
      ...[
        '[x\\](javascript:q)](https://a.example)',
        '<a href="javascript:b">y</a>',
        '<div>',
        '</div>',
        '<!-- [d](file:d)',
      ],
      ...[
        '[ok](https://a.example/a)',
        '[mail](mailto:a@b.c)',
        'http://a.example',
        '[l](../x)',
        'word',
        '**',
        '```',
        '[',
      ],
      ...['\n', '\n\n', '> ', '- ', '|a|b|\n|-|-|\n', '|', '@all'],
    ),
    { maxLength: 20 },
  )
  .map((all) => all.join(' '));
