import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPage } from './connect-page.ts';
import type { Connection } from './operator.ts';

const QR = 'https://liteapp.weixin.qq.com/q/0123456789abcdef';

function open(connection: Connection | undefined, path = '/channels/wechat/login', language = 'en') {
  const page = connectPage((channel) => (channel === 'wechat' || channel === '<b>' ? connection : undefined));
  const headers = { accept: 'text/html', 'accept-language': language };
  return page(new Request(`http://127.0.0.1:2026${path}`, { headers }));
}

const textOf = async (response: Response | null): Promise<string> => (await response?.text()) ?? '';

test('the page of a channel that logs in shows the QR code as a picture, and what to do', async () => {
  const html = await textOf(await open({ state: 'login', qr: QR, hint: 'Scan it & confirm.' }));
  assert.match(html, /<div id="picture"><svg [^>]*>/);
  assert.match(html, /Scan it &amp; confirm\./);
  assert.match(html, /data-state="login" data-code="unwanted" data-channel="wechat"/);
  assert.doesNotMatch(html, /\{\{|style=|<script(?! type="module" src=)/);
  assert.doesNotMatch(html, new RegExp(QR), 'what the code holds is for cameras alone');
});

test('a number is asked for when the phone shows one', async () => {
  const login = { state: 'login', qr: QR, hint: 'Type it in.', wantsCode: true } as const;
  assert.match(await textOf(await open(login)), /data-code="wanted"/);
  assert.match(await textOf(await open(login, undefined, 'zh-CN')), /lang="zh-CN"[\s\S]*请输入手机上显示的数字/);
});

test('without a login there is no picture, and the page says how things stand', async () => {
  for (const [connection, words] of [
    [{ state: 'connected' }, /Connected\./],
    [{ state: 'standby' }, /Another gateway/],
    [{ state: 'failing', problem: 'no <network>' }, /no &lt;network&gt;/],
  ] as const) {
    const html = await textOf(await open(connection));
    assert.match(html, words);
    assert.match(html, /<div id="picture"><\/div>/);
  }
});

test('only its own paths, only channels that there are, and names are no markup', async () => {
  const login = { state: 'login', qr: QR, hint: '' } as const;
  for (const path of [
    '/',
    '/channels/other/login',
    '/channels/wechat/login/x',
    '/channels/%/login',
    '/channels/wechat',
  ])
    assert.equal(await open(login, path), null, path);
  assert.match(await textOf(await open(login, '/channels/%3Cb%3E/login')), /data-channel="&lt;b&gt;"/);
  assert.equal(
    (await open(login, '/channels/assets/connect.js'))?.headers.get('content-type'),
    'text/javascript; charset=utf-8',
  );
  assert.equal(await open(login, '/channels/assets/../../config.yaml'), null);
});
