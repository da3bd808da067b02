import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { personName, safeFileName, safeName } from './safe-name.ts';

test('a name is one line that hides nothing', () => {
  assert.equal(safeName('Ann\n‮Admin'), 'Ann Admin');
  assert.equal(safeName('', undefined, ' '), '?');
  assert.equal(personName('', undefined, ' \u200b'), '');
});

test('a file’s name leads nowhere and keeps its extension', () => {
  const table: [string, string][] = [
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\plan.docx', 'plan.docx'],
    ['..', 'file.bin'],
    ['.env', 'env'],
    ['a"b‮gpj.exe', 'a_b gpj.exe'],
    ['周报 🎉.xlsx', '周报 🎉.xlsx'],
    [`${'长'.repeat(300)}.tar.gz`, `${'长'.repeat(79)}.gz`],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(116)}.pdf`],
    ['', 'file.bin'],
  ];
  for (const [name, expected] of table) assert.equal(safeFileName(name, 'file.bin'), expected, name);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const safe = safeFileName(name, 'file');
      assert.ok(!/[/\\]/.test(safe) && safe !== '' && !safe.startsWith('.') && [...safe].length <= 120);
      assert.ok(Buffer.byteLength(safe) <= 240);
    }),
  );
});
