import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginNotices } from './login-notices.ts';

const code = (qr: string, more: { readonly wantsCode?: boolean; readonly hint?: string } = {}) =>
  ({ state: 'login', qr, hint: 'Scan it.', ...more }) as const;

/** What the terminal shows; drawing is not done at once, so ask for it. */
function terminal() {
  const printed: string[] = [];
  const notice = loginNotices({ print: (text) => printed.push(text), url: 'http://127.0.0.1:2026' });
  const settled = async (lines: number): Promise<string[]> => {
    const deadline = performance.now() + 5_000;
    while (printed.length < lines && performance.now() < deadline) await new Promise(setImmediate);
    await new Promise(setImmediate);
    return printed;
  };
  return { notice, settled };
}

test('a QR code is drawn once, with what to do and where its page is, and then that it worked', async () => {
  const { notice, settled } = terminal();
  notice('wechat', { state: 'connecting' });
  notice('wechat', code('https://example.com/a'));
  notice('wechat', code('https://example.com/a', { hint: 'Confirm on the phone.' }));
  notice('wechat', { state: 'connected' });
  notice('wechat', { state: 'connected' });
  const printed = await settled(2);
  assert.equal(printed.length, 2);
  assert.match(
    printed[0] ?? '',
    /[█▀▄]{10}[\s\S]*wechat: Scan it\.\n.*http:\/\/127\.0\.0\.1:2026\/channels\/wechat\/login/,
  );
  assert.equal(printed[1], 'wechat: logged in.');
});

test('in a terminal that knows colours the code is white on black, whatever its own colours are', async () => {
  const printed: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const print = (text: string): void => {
    printed.push(text);
    resolve();
  };
  loginNotices({ print, url: '', colours: true })('wechat', code('x'));
  await promise;
  const rows = (printed[0] ?? '').split('\n').filter((line) => /[█▀▄]/.test(line));
  assert.ok(rows.length > 10);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
  for (const row of rows) assert.match(row, /^\u001b\[97;40m.*\u001b\[0m$/);
});

test('a number that is wanted is asked for once, with the command that takes it', async () => {
  const { notice, settled } = terminal();
  notice('wechat', code('a'));
  notice('wechat', code('a', { wantsCode: true, hint: 'Type in the number.' }));
  notice('wechat', code('a', { wantsCode: true, hint: 'Type in the number.' }));
  const printed = await settled(2);
  assert.equal(printed.length, 2);
  assert.match(printed[1] ?? '', /Type in the number\. .*antler channels login-code wechat=NUMBER/);
});

test('a terminal that nobody looks at is not filled with codes', async () => {
  const { notice, settled } = terminal();
  for (let index = 0; index < 20; index++) notice('wechat', code(`code ${index}`));
  const printed = await settled(5);
  assert.equal(printed.length, 5);
  assert.match(printed[4] ?? '', /nobody has scanned/);
});

test('channels do not mix', async () => {
  const { notice, settled } = terminal();
  notice('a', code('x'));
  notice('b', code('x'));
  notice('b', { state: 'connected' });
  assert.deepEqual(
    (await settled(3)).map((text) => /(\w): /.exec(text)?.[1]),
    ['a', 'b', 'b'],
  );
});
