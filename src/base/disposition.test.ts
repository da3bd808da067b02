import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileNameIn } from './disposition.ts';

test('names of files in headers', () => {
  const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
  const table: [string | null, string | undefined][] = [
    [null, undefined],
    ['attachment', undefined],
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=a.pdf', 'a.pdf'],
    ['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    [`attachment; filename="x.pdf"; filename*=UTF-8''%E5%91%A8%E6%8A%A5.pdf`, '周报.pdf'],
    [`attachment; filename*=utf-8''%E5%91%A8%E6%8A%A5.pdf; filename="x.pdf"`, '周报.pdf'],
    [`attachment; filename*=iso-8859-1'en'%A3%20rates`, '£ rates'],
    [`attachment; filename="plain.txt"; filename*=UTF-8''%`, 'plain.txt'],
    [`attachment; filename="${latin1('周报.pdf')}"`, '周报.pdf'],
    ['attachment; filename="%E5%91%A8.pdf"', '周.pdf'],
    ['attachment; filename="100%.pdf"', '100%.pdf'],
  ];
  for (const [header, name] of table) assert.equal(fileNameIn(header), name, String(header));
  fc.assert(fc.property(fc.string(), (text) => void fileNameIn(`attachment; filename*=${text}; filename=${text}`)));
});
