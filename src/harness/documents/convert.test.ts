import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { convert } from './convert.ts';
import { archiveOf, docxOf, pdfOf, pptxOf, relations, slideShape, wordParagraph, xlsxOf } from './testing/samples.ts';

const office = async (content: Uint8Array): Promise<string> => (await convert({ kind: 'office', content })).text;
const pdf = async (content: Uint8Array): Promise<string> => (await convert({ kind: 'pdf', content })).text;

test('a Word document is read with its headings, lists, tables and links', async () => {
  const cell = (text: string): string => `<w:tc>${wordParagraph(text)}</w:tc>`;
  const styles =
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>';
  const body = [
    wordParagraph('计划 &amp; plan', 'Heading1'),
    wordParagraph('Ship <w:br/>'.replace('<w:br/>', 'soon_and_well')),
    `<w:tbl><w:tr>${cell('Who')}${cell('What')}</w:tr><w:tr>${cell('Ann')}${cell('a|b')}</w:tr></w:tbl>`,
    '<w:p><w:hyperlink r:id="rId9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>',
  ].join('');
  const rels = relations(['rId1', 'styles', 'styles.xml']).replace(
    '</Relationships>',
    '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com/x" TargetMode="External"/></Relationships>',
  );
  const text = await office(docxOf(body, { 'word/styles.xml': styles, 'word/_rels/document.xml.rels': rels }));
  assert.equal(
    text,
    '# 计划 & plan\n\nShip soon_and_well\n\n| Who | What |\n| --- | --- |\n| Ann | a\\|b |\n\n[there](https://example.com/x)',
  );
});

test('a workbook is read with shared strings, dates, formulas and the names of hidden sheets', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="&quot;days&quot; 0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="166"/></cellXfs>';
  const strings =
    '<si><t>Name</t></si><si><r><t>Rich </t></r><r><t xml:space="preserve">text</t></r><rPh><t>x</t></rPh></si><si><t>a|b\nc</t></si>';
  const rows =
    '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="AA2" t="s"><v>2</v></c></row>' +
    '<row r="4"><c r="B4" s="1"><v>45292</v></c><c r="C4" s="2"><v>60</v></c><c r="D4" s="3"><v>0.125</v></c><c r="E4" s="4"><v>1.5</v></c><c r="F4" s="5"><v>45292.75</v></c></row>' +
    '<row><c t="b"><v>1</v></c><c><f>SUM(A1:A2)</f><v>0.30000000000000004</v></c><c><f>NOW()</f></c><c t="str"><f>A</f><v>calc</v></c><c t="e"><v>#REF!</v></c><c t="inlineStr"><is><t>in &lt;line&gt;</t></is></c><c s="6"><v>7</v></c></row><row r="9"/>';
  const sheets = [
    { name: 'Q1 &amp; Q2', rows },
    {
      name: 'Secret',
      state: 'hidden' as const,
      rows: '<x:row r="1" xmlns:x="y"><x:c r="A1"><x:v>5</x:v></x:c></x:row>',
    },
    { name: 'Empty', state: 'veryHidden' as const, rows: '' },
  ];
  const lines = (await office(xlsxOf({ sheets, strings, styles }))).split('\n');
  assert.deepEqual(lines.slice(0, 2), ['## Q1 & Q2', '']);
  assert.match(lines[2] ?? '', /^\| {2}\| A \| B \| C \| .* \| AA \|$/);
  assert.match(lines[4] ?? '', /^\| 2 \| {2}\| Name \| Rich text \| .* \| a\\\|b c \|$/);
  assert.match(
    lines[5] ?? '',
    /^\| 4 \| {2}\| 2024-01-01 \| 1900-02-28 \| 12\.5% \| 36:00:00 \| 2024-01-01 18:00:00 \|/,
  );
  assert.match(lines[6] ?? '', /^\| 5 \| TRUE \| 0\.3 \| =NOW\(\) \| calc \| #REF! \| in <line> \| 7 \|/);
  assert.deepEqual(lines.slice(8), [
    '## Secret (hidden sheet)',
    '',
    '|  | A |',
    '| --- | --- |',
    '| 1 | 5 |',
    '',
    '## Empty (hidden sheet)',
    '',
    '(empty)',
  ]);
});

test('a workbook of an old Mac counts its days from 1904', async () => {
  const book = xlsxOf({
    sheets: [{ name: 'S', rows: '<row><c s="1"><v>0</v></c></row>' }],
    styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    properties: '<workbookPr date1904="1"/>',
  });
  assert.match(await office(book), /\| 1904-01-01 \|/);
});

test('a sheet that is larger than can be shown is cut, and says so', async () => {
  const row = `<row>${'<c t="inlineStr"><is><t>some words of a cell</t></is></c>'.repeat(150)}</row>`;
  const text = await office(
    xlsxOf({
      sheets: [
        { name: 'Big', rows: row.repeat(600) },
        { name: 'Next', rows: row },
      ],
    }),
  );
  assert.match(text, /\(columns CW to ET are left out\)\n\(cut here, behind row \d+: /);
  assert.ok(text.length <= 1_500_000);
});

test('slides come in the order of the presentation, with tables and notes', async () => {
  const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>H</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const text = await office(
    pptxOf([
      { shapes: slideShape('ctrTitle', 'Welcome &amp; hi') + slideShape('subTitle', 'one', 'two'), notes: 'Smile.' },
      { shapes: table + slideShape('sldNum', '2'), hidden: true },
      { shapes: `<p:grpSp>${slideShape('', 'in a group')}</p:grpSp>` },
    ]),
  );
  assert.equal(
    text,
    '## Slide 1: Welcome & hi\n\none\ntwo\n\nNotes: Smile.\n\n## Slide 2 (hidden slide)\n\n| H |\n| --- |\n| 1 |\n\n## Slide 3\n\nin a group',
  );
});

test('a PDF is read page by page', async () => {
  const text = await pdf(pdfOf(['Hello from page one', '']));
  assert.equal(text, '## Page 1 of 2\n\nHello from page one\n\n## Page 2 of 2\n\n(no text on this page)');
});

test('a scan, a broken and an encrypted PDF are told apart', async () => {
  await assert.rejects(pdf(pdfOf([''])), {
    code: 'unsupported',
    message: /^holds no text that can be read here/,
  });
  await assert.rejects(pdf(Buffer.from('%PDF-1.7\nnothing of the kind')), { message: /^is damaged/ });
  const zeros = '0'.repeat(64);
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${zeros}> /U <${zeros}> /P -4 >> /ID [<${zeros}><${zeros}>]`;
  await assert.rejects(pdf(pdfOf(['secret'], encryption)), { message: /^is protected by a password/ });
});

test('an archive that unpacks to far too much is refused before it is unpacked', async () => {
  const bomb = docxOf(wordParagraph('x'), { 'word/media.xml': new Uint8Array(30_000_000) });
  await assert.rejects(office(bomb), { code: 'too_large', message: /^unpacks to far more/ });
  const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`word/${n}.xml`, strToU8('')]));
  await assert.rejects(office(zipSync(many, { level: 0 })), { code: 'too_large' });
  // What nobody reads does not matter: a large picture of one colour is no bomb.
  const picture = docxOf(wordParagraph('fine'), { 'word/media/image1.bmp': new Uint8Array(30_000_000) });
  assert.equal(await office(picture), 'fine');
});

test('an archive that lies about its sizes gets the room that it declares, no more', async () => {
  const document = xlsxOf({ sheets: [{ name: 'S', rows: `<row><c><v>1</v></c></row>${' '.repeat(500_000)}` }] });
  const view = new DataView(document.buffer, document.byteOffset, document.byteLength);
  for (let at = 0; at < document.length - 46; at++)
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) > 100_000)
      view.setUint32(at + 24, 60, true);
  assert.match(await office(document), /^## S\n\n\(empty\)$/);
  const huge = docxOf(wordParagraph('x'));
  const sizes = new DataView(huge.buffer, huge.byteOffset, huge.byteLength);
  for (let at = 0; at < huge.length - 46; at++)
    if (sizes.getUint32(at, true) === 0x02014b50) sizes.setUint32(at + 24, 0xf000_0000, true);
  await assert.rejects(office(huge), { code: 'too_large' });
});

test('entities that would grow into gigabytes are refused, in every format and encoding', async () => {
  const evil = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]>';
  const word = docxOf('', { 'word/document.xml': `${evil}<a>&y;</a>` });
  const utf16 = Buffer.from(`\ufeff${evil}<sst/>`, 'utf16le');
  const book = archiveOf({ 'xl/workbook.xml': utf16 });
  const slides = archiveOf({ 'ppt/presentation.xml': `${evil}<p/>` });
  for (const content of [word, book, slides])
    await assert.rejects(office(content), { code: 'unsupported', message: /^defines XML entities/ });
});

test('archives that are no documents, or are damaged, are told for what they are', async () => {
  await assert.rejects(office(archiveOf({ 'readme.txt': 'x' })), { message: /^is an archive, not a document/ });
  await assert.rejects(office(docxOf('x').subarray(0, 300)), { message: /^is damaged/ });
  await assert.rejects(office(archiveOf({ 'xl/workbook.xml': 'no xml at all' })), { message: /^is damaged/ });
  await assert.rejects(office(archiveOf({ 'word/document.xml': '<w:document>' })), { message: /^is damaged/ });
  await assert.rejects(office(strToU8('PK\x03\x04 nothing')), { message: /^is damaged/ });
});

test('whatever byte of a document is broken, its reading ends', async () => {
  const documents = [
    docxOf(wordParagraph('hello '.repeat(50))),
    xlsxOf({ sheets: [{ name: 'S', rows: '<row><c><v>1</v></c></row>'.repeat(20) }] }),
    pptxOf([{ shapes: slideShape('title', 'x'), notes: 'n' }]),
  ];
  const breaks = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...documents), breaks, async (whole, broken) => {
      const content = Uint8Array.from(whole);
      for (const [at, byte] of broken) content[at % content.length] = byte;
      await office(content).catch((thrown: unknown) => assert.ok(thrown instanceof Error));
    }),
    { numRuns: 100 },
  );
});
