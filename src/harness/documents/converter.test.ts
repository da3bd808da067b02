import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConverterLimits, createConverter } from './converter.ts';
import { documentReader, htmlReader } from './reader.ts';
import { docxOf, pdfOf, wordParagraph } from './testing/samples.ts';

const signal = new AbortController().signal;
const hostile: ConverterLimits = {
  timeoutMs: 10_000,
  heapMb: 64,
  rssMb: 400,
  program: join(import.meta.dirname, 'testing/hostile.child.ts'),
};

const play = async (wish: string, limits: Partial<ConverterLimits> = {}, until = signal): Promise<string> => {
  const converter = createConverter({ ...hostile, ...limits });
  return (await converter.convert({ kind: 'pdf', content: Buffer.from(wish) }, until)).text;
};

test('a document that takes over its process finds nothing there', async () => {
  assert.deepEqual(JSON.parse(await play('look')), {
    env: ['TZ'],
    passwd: 'ERR_ACCESS_DENIED',
    settings: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    spawn: 'ERR_ACCESS_DENIED',
  });
});

test('one that never ends, eats memory or lies about its end is ended with a sentence', async () => {
  await assert.rejects(play('spin', { timeoutMs: 500 }), {
    code: 'timeout',
    message: 'could not be read within 0.5 s.',
  });
  await assert.rejects(play('heap'), { code: 'too_large', message: /^takes more memory/ });
  await assert.rejects(play('exit'), { code: 'unsupported', message: /^is damaged/ });
  await assert.rejects(play('lie'), { code: 'unsupported' });
  assert.equal(await play('linger'), 'done');
  await assert.rejects(play('spin', {}, AbortSignal.timeout(300)), { code: 'cancelled' });
});

test('memory outside of the heap counts as well', {
  skip: process.platform !== 'linux' && 'only Linux tells',
}, async () => {
  await assert.rejects(play('buffers'), { code: 'too_large', message: /^takes more memory/ });
});

test('a file is read in a process of its own, once for all of its pages', async () => {
  const converter = createConverter();
  let conversions = 0;
  const counting = {
    convert: (...args: Parameters<typeof converter.convert>) => {
      conversions++;
      return converter.convert(...args);
    },
  };
  const reader = documentReader(counting);
  const file = { kind: 'file', name: 'plan.docx', mime: 'application/octet-stream', bytes: 1 } as const;
  const content = docxOf(wordParagraph('the plan'));
  assert.equal(await reader.read(file, content, signal), 'the plan');
  const started = performance.now();
  assert.equal(await reader.read(file, content, signal), 'the plan');
  assert.ok(performance.now() - started < 50, 'kept');
  assert.equal(conversions, 2);
  assert.match((await reader.read(file, pdfOf(['a PDF by its bytes']), signal)) ?? '', /a PDF by its bytes/);
  assert.equal(await reader.read(file, Buffer.from('plain'), signal), null);
});

test('what cannot be read is said with the name of the file', async () => {
  const reader = documentReader(createConverter());
  const file = { kind: 'file', name: 'plan.doc', mime: 'application/msword', bytes: 1 } as const;
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  await assert.rejects(async () => reader.read(file, compound, signal), {
    code: 'unsupported',
    message: 'plan.doc is in the old format of Office; ask for a copy as .docx, .xlsx, .pptx or PDF',
  });
  const encrypted = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]);
  await assert.rejects(async () => reader.read(file, encrypted, signal), {
    message: /^plan\.doc is protected by a password/,
  });
  const broken = docxOf(wordParagraph('x')).subarray(0, 200);
  await assert.rejects(async () => reader.read(file, broken, signal), { message: /^plan\.doc is damaged/ });
});

test('HTML is read as it reads, by its name or its type alone', async () => {
  const reader = htmlReader(createConverter());
  const file = { kind: 'file', name: 'a.html', mime: 'application/octet-stream', bytes: 1 } as const;
  const content = Buffer.from('<title>A page</title><h1>Hi</h1><script>no()</script><p>there</p>');
  assert.equal(await reader.read(file, content, signal), '# A page\n\n# Hi\n\nthere');
  assert.equal(await reader.read({ ...file, name: 'a.txt' }, content, signal), null);
  const nested = Buffer.from(`${'<div>'.repeat(60_000)}deep`);
  await assert.rejects(async () => reader.read(file, nested, signal), {
    code: 'unsupported',
    message: 'a.html is nested too deeply to be read',
  });
});
