import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withDeadLinks, withLiveLinks } from './dead-links.ts';
import { mentionUrl } from './mentions.ts';
import type { Block, Inline, ListItem, TableCell, TableRow } from './nodes.ts';
import { parse } from './parse.ts';
import { answers, soup, traps } from './testing/markdown.ts';

test('of a link to anything but the web, mail and people the text stays', () => {
  const table: [string, string][] = [
    ['see [this](javascript:alert(1)) and **[that](FILE:///etc/passwd)**', 'see this and **that**'],
    ['[a](&#106;avascript:b) [c](data:text/html,d)', 'a c'],
    ['![pic](data:image/png;base64,AA) <vbscript:x>', 'pic vbscript:x'],
    ['[r]\n\n[r]: file:///etc/passwd', 'r'],
  ];
  for (const [markdown, expected] of table) assert.equal(withLiveLinks(markdown), expected);
  assert.match(withLiveLinks('<div>[a](javascript:b)</div>'), /\[a\]\u2060\(javascript:b\)/);
});

test('other links, code and everything else stay as they were written', () => {
  for (const markdown of [
    '[a](https://h.example "t") *b*  [c](mailto:a@b.de)',
    `[@Ann](${mentionUrl('U1')}): look`,
    '`[a](javascript:b)` and\n\n```js\nx[i](file:a)\n```',
    '[relative](../a) and [here](#top): fine',
  ]) {
    assert.equal(withLiveLinks(markdown), markdown);
  }
  assert.equal(withDeadLinks('[a](https://h.example) [b](x)'), '[a](https://h.example) [b]\u2060(x)');
});

test('whatever is written, no link of another scheme is left', () => {
  fc.assert(
    fc.property(fc.oneof(traps, answers, soup), (markdown) => {
      const schemes = linksIn(parse(withLiveLinks(markdown)).children).map((url) => /^\s*([\w+.-]+):/.exec(url)?.[1]);
      const foreign = schemes.filter((scheme) => !/^(?:https?|mailto|mention)$/i.test(scheme ?? 'http'));
      assert.deepEqual(foreign, []);
    }),
    { numRuns: 300 },
  );
});

function linksIn(nodes: readonly (Block | Inline | ListItem | TableRow | TableCell)[]): string[] {
  return nodes.flatMap((node) => [
    ...('url' in node ? [node.url] : []),
    ...('children' in node ? linksIn(node.children) : []),
  ]);
}
