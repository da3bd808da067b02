import fc from 'fast-check';

/** Makes a text of about `length` UTF-16 code units. */
export type Bomb = (length: number) => string;

const times = (piece: string, length: number): string => piece.repeat(Math.max(1, Math.round(length / piece.length)));

/** Pieces that differ from each other, joined until they are long enough. */
function growing(length: number, piece: (n: number) => string): string {
  let text = '';
  for (let n = 0; text.length < length; n++) text += piece(n);
  return text;
}

function table(columns: number, rows: number, cell = 'ж'): string {
  const row = (value: string): string => `|${`${value}|`.repeat(columns)}\n`;
  return row(cell) + row('-') + row(cell).repeat(rows);
}

/**
 * Texts that take a Markdown parser the square of their length, its whole stack, or many times their length in memory.
 * Every `ж` in them is text that has to be seen in the end.
 */
export const bombs: Readonly<Record<string, Bomb>> = {
  'a table of hundreds of columns': (length) => table(Math.ceil(length / 44), 20),
  'a table of thousands of rows': (length) => table(3, Math.ceil(length / 7)),
  'a table of styled cells': (length) => table(4, Math.ceil(length / 60), '**ж** `ж` [ж](y)'),
  'a wide head over short rows': (length) => table(Math.ceil(length / 8), 0) + times('|ж\n', length / 2),
  'one long cell among many rows': (length) => `${table(2, length / 12)}|${times('ж ', length / 2)}|ж|\n`,
  'delimiter rows without a table': (length) => times('|-|\n', length),
  'lines of a pipe each': (length) => times('|\n', length),
  'a table in a list': (length) => times('- |ж|\n  |-|\n', length),
  'lists nested without end': (length) => growing(length, (n) => `${'  '.repeat(n)}- ж\n`),
  'lists nested without end, with blank lines': (length) => growing(length, (n) => `${'  '.repeat(n)}- ж\n\n`),
  'list marks in one line': (length) => `${times('- ', length)}ж`,
  'numbers in one line': (length) => `${times('1. ', length)}ж`,
  'quotes in one line': (length) => `${times('> ', length)}ж`,
  'quotes without spaces': (length) => `${times('>', length)}ж`,
  'every container in one line': (length) => `${times('> - 1. ', length)}ж`,
  'quotes that deepen line by line': (length) => growing(length, (n) => `${'>'.repeat(n)}ж\n\n`),
  'lazy lines behind one quote': (length) => `> ${times('ж\n', length)}`,
  'lazy lines behind many quotes': (length) => `${'> '.repeat(15)}${times('ж\n', length)}`,
  'items by the thousand': (length) => times('- ж\n', length),
  'items whose bullets change': (length) => times('- ж\n* ж\n', length),
  'empty items': (length) => times('-\n', length),
  'underlines by the thousand': (length) => times('ж\n=\n', length),
  'headings by the thousand': (length) => times('# ж\n', length),
  'rules by the thousand': (length) => times('---\n', length),
  'asterisks around a letter': (length) => `${times('*', length / 2)}ж${times('*', length / 2)}`,
  'underscores around a letter': (length) => `${times('_', length / 2)}ж${times('_', length / 2)}`,
  'letters between asterisks': (length) => times('ж*', length),
  'letters between tildes': (length) => times('ж~~', length),
  'openers without closers': (length) => times('_ж ', length),
  'closers that do not fit': (length) => times('*ж_ ', length),
  'emphasis within emphasis': (length) => times('*ж **ж ', length / 2) + times('** *', length / 2),
  'asterisks beside Chinese': (length) => times('**重点：**ж', length),
  'runs of backticks, each longer': (length) => growing(length, (n) => `${'`'.repeat(n + 1)}ж `),
  'code by the thousand': (length) => times('`ж` ', length),
  'brackets within brackets': (length) => times('[', length / 2) + times(']', length / 2),
  'links within links': (length) => `${times('[', length / 8)}ж${times('](b)', length / 2)}`,
  'links that do not close': (length) => times('[ж](', length),
  'pictures within pictures': (length) => times('![', length),
  'definitions by the thousand': (length) => growing(length, (n) => `[${n}]: /x\n`),
  'one long address, referred to a thousand times': (length) =>
    `[ж]: /${times('x', length / 2)}\n\n${times('[ж] ', length / 2)}`,
  'footnotes within footnotes': (length) => `${times('[^a]: ', length)}ж`,
  'declarations without end': (length) => times('ж <!A ', length),
  'instructions without end': (length) => times('ж <? ', length),
  'tags by the thousand': (length) => times('<b>ж', length),
  'addresses within an address': (length) => times('http://', length),
  'an address of punctuation': (length) => `http://a.b/${times('?!.,:*_~', length)}`,
  'almost mail addresses': (length) => times('a.', length),
  'mail addresses by the thousand': (length) => times('ж@b.c ', length),
  'escapes by the thousand': (length) => times('\\*ж', length),
  'references to characters': (length) => times('&amp;ж', length),
  'fences by the thousand': (length) => times('```\nж\n```\n', length),
  'indented fences by the thousand': (length) => times('  ```\n  ж\n  ```\n', length),
  'a long listing': (length) => `\`\`\`\n${times('ж\n', length)}\`\`\``,
  'a line of spaces under a row': (length) => `| ж |\n${times(' ', length)}ж`,
  'paragraphs by the thousand': (length) => times('ж *ж*\n\n', length),
  'lines by the thousand': (length) => times('ж  \n', length),
  'lines that end in the old way': (length) => times('ж\r', length),
  'half characters': (length) => times('\ud83d', length),
  'marks upon one letter': (length) => `ж${times('\u0301', length)}`,
  'quotes of lists of emphasis': (length) => times(`${'> '.repeat(12)}- *ж_\n`, length),
  'lists of tables of code': (length) => times('1. ж\n\n   |ж|`|\n   |-|-|\n   |`|*|\n\n', length),
  'brackets, asterisks and backticks': (length) => times('[*`[_**](``<!', length),
};

/** Much of little: how the bombs above begin, at random. */
export const rubble = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...['> ', '- ', '1. ', '  ', '\t', '|', '|-', '\n', '\n\n', '```', '``', '`', '*', '**', '_', '~~', '[', ']'],
        ...[
          '](',
          ')',
          '![',
          '<',
          '<!',
          '<!--',
          '<?',
          '</',
          'http://',
          'a@b.c',
          '\\',
          '&',
          '#',
          '=',
          ':',
          'ж',
          'ж ',
          '重',
        ],
        ...['[^a]:', '[a]: ', '\r', '\0', '\ud83d', '\u0301', '“', '---\n', '|ж|ж|\n|-|-|\n'],
      ),
      fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.nat({ max: 30 }), fc.nat({ max: 400 })),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.map(([piece, count]) => piece.repeat(count)).join(''));
