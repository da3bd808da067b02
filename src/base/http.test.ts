import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from './errors.ts';
import { acceptedLanguage, errorResponse, languageTag, readJson } from './http.ts';

const post = (body: BodyInit) => new Request('http://x/', { method: 'POST', body, duplex: 'half' } as RequestInit);

test('readJson reads JSON and refuses everything else', async () => {
  assert.deepEqual(await readJson(post('{"a":"谢谢"}'), 100), { a: '谢谢' });
  await assert.rejects(readJson(post('{'), 100), { code: 'bad_input' });
  await assert.rejects(readJson(post(''), 100), { code: 'bad_input' });
  await assert.rejects(readJson(post(new Uint8Array([0x22, 0xff, 0x22])), 100), { code: 'bad_input' });
  await assert.rejects(readJson(post(JSON.stringify('x'.repeat(100))), 100), { code: 'too_large' });
});

test('a body without a length is counted while it comes in', async () => {
  let made = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      made++;
      controller.enqueue(new Uint8Array(1000).fill(0x20));
    },
  });
  await assert.rejects(readJson(post(endless), 5_000), { code: 'too_large' });
  assert.ok(made < 20);
});

test('the language is the one the browser likes best', () => {
  const table: [string | null, string][] = [
    [null, 'en'],
    ['', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-US,en;q=0.9,zh;q=0.8', 'en'],
    ['en;q=0.3, zh-TW;q=0.7', 'zh'],
    ['de,fr;q=0.5', 'en'],
    ['zh;q=0, en', 'en'],
    ['<script>', 'en'],
  ];
  for (const [header, language] of table) assert.equal(acceptedLanguage(header), language, String(header));
  assert.equal(languageTag('zh-Hans-CN,en'), 'zh-Hans-CN');
  assert.equal(languageTag('*'), undefined);
});

test('an error answers with its code', async () => {
  const response = errorResponse(new AntlerError('rate_limited', 'Wait.'));
  assert.equal(response.status, 429);
  assert.deepEqual(await response.json(), { error: { code: 'rate_limited', message: 'Wait.' } });
});
