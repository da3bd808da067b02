import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileId } from '../../../base/ids.ts';
import { createConverter, documentReader, htmlReader } from '../../documents/index.ts';
import type { FileInfo, LogEntry, LoggedFile } from '../../log.ts';
import { toolContext } from '../../testing/fake-run.ts';
import { filesWith, userSays } from '../../testing/run.ts';
import { renderDirect } from '../../transcript/frame.ts';
import { decodeText } from './decode.ts';
import { pageOf } from './page.ts';
import { readFile } from './read-file.ts';
import { plainText } from './reader.ts';
import { sendFile } from './send-file.ts';

const signal = new AbortController().signal;
const converter = createConverter();
const file = (id: string, name: string, more: Partial<LoggedFile> = {}): LoggedFile => ({
  id: id as FileId,
  kind: 'file',
  name,
  mime: 'text/plain',
  bytes: 1,
  ...more,
});
const sent = (...files: LoggedFile[]): LogEntry => ({ ...userSays('see'), files });
const read = (log: readonly LogEntry[], contents: readonly (readonly [LoggedFile, Uint8Array])[], args: object) =>
  readFile([plainText]).call(args, toolContext({ log, files: filesWith(...contents) }), signal);

test('a file is read by its name or its id; of two with one name the newer counts', async () => {
  const [old, newer] = [file('f_1', 'a.txt'), file('f_2', 'a.txt')];
  const quoted = file('f_3', 'Quoted.TXT');
  const log = [sent(old), sent(newer), { ...userSays('q'), quote: { fromBot: false, text: '', files: [quoted] } }];
  const contents = [
    [old, Buffer.from('old\n')],
    [newer, Buffer.from('new')],
    [quoted, Buffer.from('quoted')],
  ] as const;
  assert.equal(await read(log, contents, { file: 'a.txt' }), 'a.txt, lines 1 to 1 of 1:\nnew');
  assert.match(await read(log, contents, { file: ' f_1 ' }), /:\nold$/);
  assert.match(await read(log, contents, { file: 'quoted.txt' }), /:\nquoted$/);
  await assert.rejects(read(log, contents, { file: '../etc/passwd' }), {
    code: 'not_found',
    message: /there are: Quoted\.TXT, a\.txt\.$/,
  });
});

test('a file with a long name or an ampersand is not found by the name that stands in <files>', async () => {
  for (const name of ['Q&A.txt', `${'名'.repeat(76)}${'x'.repeat(20)}.txt`]) {
    const odd = file('f_1', name);
    const entry = sent(odd);
    assert.ok(entry.kind === 'user');
    const [, stands = ''] = /<files>\n(.*) \(file, /.exec(renderDirect(entry)) ?? [];
    assert.notEqual(stands, name);
    assert.match(await read([entry], [[odd, Buffer.from('it')]], { file: stands }), /:\nit$/);
  }
});

test('only files of this conversation can be named, even where others can be read', async () => {
  const other = file('f_9', 'secret.txt');
  await assert.rejects(read([sent(file('f_1', 'a.txt'))], [[other, Buffer.from('x')]], { file: 'f_9' }), {
    code: 'not_found',
  });
});

test('a long file comes in pages that say how to go on', async () => {
  const long = file('f_1', 'long.csv');
  const content = Buffer.from(Array.from({ length: 1_000 }, (_, n) => `row ${n + 1}`).join('\r\n'));
  const page = (args: object) => read([sent(long)], [[long, content]], { file: 'long.csv', ...args });
  assert.match(await page({}), /^long\.csv, lines 1 to 400 of 1000, go on with offset 401:\nrow 1\nrow 2\n/);
  assert.match(await page({ offset: 999, limit: 50 }), /^long\.csv, lines 999 to 1000 of 1000:\nrow 999\nrow 1000$/);
  assert.equal(await page({ offset: 1_001 }), 'long.csv has 1000 lines; line 1001 is behind its end.');
});

test('a file without line ends is paged as well, and no character is halved', () => {
  const text = `x${'😀'.repeat(30_000)}`;
  let whole = '';
  for (let offset = 1; ; ) {
    const page = pageOf(text, offset, 2_000);
    assert.ok(page.text.length <= 22_000 && page.text.isWellFormed());
    whole += page.text.replaceAll('\n', '');
    if (page.to === page.total) break;
    offset = page.to + 1;
  }
  assert.equal(whole, text);
});

test('text is read in the encodings in which people have it', () => {
  const gbk = Buffer.from('c4e3bac3a3accac0bde7', 'hex'); // 你好，世界
  const table: [Uint8Array, string | null][] = [
    [Buffer.from('你好 €'), '你好 €'],
    [Buffer.from('\ufeff你好'), '你好'],
    [Buffer.from('\ufeffHi 你', 'utf16le'), 'Hi 你'],
    [Buffer.from('\ufeffHi 你', 'utf16le').swap16(), 'Hi 你'],
    [Buffer.from('plain words', 'utf16le'), 'plain words'],
    [Buffer.from('plain words', 'utf16le').swap16(), 'plain words'],
    [gbk, '你好，世界'],
    [Buffer.from('caf\u00e9 au lait', 'latin1'), 'caf\u00e9 au lait'],
    [Buffer.alloc(0), ''],
    [Buffer.from('\u001b[31mred\u001b[0m\tok\n'), '\u001b[31mred\u001b[0m\tok\n'],
    [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), null],
    [Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * 7919) % 256)), null],
  ];
  for (const [content, text] of table) assert.equal(decodeText(content), text);
});

test('what cannot be read is said in a sentence that the model can pass on', async () => {
  const pdf = file('f_1', 'plan.pdf', { mime: 'application/pdf' });
  const bytes = Buffer.from('255044462d312e370a0001020304', 'hex');
  await assert.rejects(read([sent(pdf)], [[pdf, bytes]], { file: 'plan.pdf' }), {
    code: 'unsupported',
    message: /^plan\.pdf \(application\/pdf\) is no text/,
  });
  const gone = file('f_2', 'old.txt', { problem: 'gone' });
  await assert.rejects(read([sent(gone)], [], { file: 'old.txt' }), {
    message: 'old.txt is no longer on the platform',
  });
  const late = file('f_3', 'late.txt', { problem: 'late' });
  assert.match(await read([sent(late)], [[late, Buffer.from('here')]], { file: 'late.txt' }), /here$/);
  assert.equal(await read([sent(late)], [[late, Buffer.alloc(0)]], { file: 'late.txt' }), 'late.txt is empty.');
});

async function send(args: object): Promise<{ said: string; file: FileInfo | undefined; content: string }> {
  const presented: FileInfo[] = [];
  const files = filesWith();
  const said = await sendFile.call(args, toolContext({ files, present: (one) => presented.push(one) }), signal);
  const [made] = presented;
  const content = made === undefined ? '' : Buffer.from(await files.read(made.id, signal)).toString();
  return { said, file: made, content };
}

test('a written file is kept and presented under a type that its name tells', async () => {
  const { said, file: made, content } = await send({ name: 'report.md', content: '# Hi\n' });
  assert.partialDeepStrictEqual(made, { name: 'report.md', mime: 'text/markdown', kind: 'file', bytes: 5 });
  assert.equal(content, '# Hi\n');
  assert.match(said, /^report\.md \(5 bytes\) goes to the person/);
  assert.equal((await send({ name: 'notes', content: 'x' })).file?.name, 'notes.txt');
  assert.equal((await send({ name: 'main.rs', content: 'x' })).file?.mime, 'text/plain');
});

test('a table with Chinese in it opens in Excel', async () => {
  assert.equal((await send({ name: 'a.csv', content: '名,1' })).content, '\ufeff名,1');
  assert.equal((await send({ name: 'a.csv', content: 'n,1' })).content, 'n,1');
});

test('text does not become a document by its name, and has a bound', async () => {
  for (const name of ['a.pdf', 'b.DOCX', 'c.png'])
    await assert.rejects(send({ name, content: 'x' }), { code: 'bad_input', message: /only text can be sent/ });
  await assert.rejects(send({ name: 'a.txt', content: '名'.repeat(400_000) }), { code: 'bad_input' });
  await assert.rejects(send({ name: 'a.txt', content: '' }), { code: 'bad_input' });
});

test('HTML that was sent is read as it reads, and as it is written when that is asked for', async () => {
  const page = file('f_1', 'a.html', { mime: 'text/html' });
  const readers = [documentReader(converter), htmlReader(converter), plainText];
  const content = Buffer.from('<h1>Hi</h1><p>there</p>');
  const context = toolContext({ log: [sent(page)], files: filesWith([page, content]) });
  const one = (args: object) => readFile(readers).call({ file: 'a.html', ...args }, context, signal);
  assert.match(await one({}), /:\n# Hi\n\nthere$/);
  assert.match(await one({ raw: true }), /:\n<h1>Hi<\/h1><p>there<\/p>$/);
});
