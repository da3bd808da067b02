import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { newFileId } from '../../src/base/ids.ts';
import type { Adapter } from '../../src/channel/port.ts';
import { launchBrowser } from '../../src/testing/browser.ts';
import { findChromium } from '../../src/testing/services.ts';
import { OWNER_TOKEN, serveWebForTests } from './testing/served.ts';

const target = { chat: 'owner', chatKind: 'dm' } as const;
const skip =
  findChromium() === undefined ? 'Install Chromium (Debian: apt-get install chromium) for the page’s tests.' : false;

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** Opens a page; whatever it complains about, a refused script or style included, fails the test. */
async function open(t: TestContext, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= launchBrowser();
  const context = await (await browser).newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself notes every answer above 399.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(`asked for ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(url);
  return page;
}

const messages = (page: Page) => page.locator('#messages > li .body');
const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

test('one types, sees the answer grow, and finds it again after a reload', { skip }, async (t) => {
  const steps = Promise.withResolvers<void>();
  const answer = async (adapter: Adapter): Promise<void> => {
    await adapter.typing?.(target);
    const { id } = await adapter.send(target, { markdown: 'Here' }, { key: 'k:1', draft: true });
    await adapter.edit?.(target, id, { markdown: 'Here it **comes**' }, { key: 'k:1', draft: true });
    await steps.promise;
    await adapter.edit?.(target, id, { markdown: 'Here it **comes**:\n\n```js\nlet x;\n```' }, { key: 'k:1' });
  };
  const { url } = await serveWebForTests(t, { onMessage: (_message, adapter) => void answer(adapter) });
  const page = await open(t, url);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'text');
  await page.keyboard.type('Hello\\');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('你好 <b>');
  await page.keyboard.press('Enter');
  await shows(page, 'comes');
  assert.equal(await messages(page).first().textContent(), 'Hello\\\n你好 <b>');
  assert.ok(await page.locator('.growing').isVisible());
  assert.ok(await page.getByRole('button', { name: 'Stop answering' }).isVisible());
  steps.resolve();
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  assert.equal(await page.locator('.growing').count(), 0);
  await page.getByRole('button', { name: 'Stop answering' }).waitFor({ state: 'hidden' });
  assert.match((await page.locator('#status').textContent()) ?? '', /^Antler: Here it comes:/);

  await page.reload();
  await shows(page, 'comes');
  assert.equal(await messages(page).count(), 2);
  assert.ok(await page.getByRole('button', { name: 'Stop answering' }).isHidden());
});

test('an answer is stopped by the button and by Escape', { skip }, async (t) => {
  const { url, stopped } = await serveWebForTests(t, {
    onMessage: (message, adapter) =>
      void adapter.send(target, { markdown: 'Once upon' }, { key: `k:${message.id}`, draft: true }),
  });
  const page = await open(t, url);
  await page.keyboard.type('tell me');
  await page.keyboard.press('Enter');
  await shows(page, 'Once upon');
  const asked = page.waitForResponse(/chat\/stop/);
  await page.getByRole('button', { name: 'Stop answering' }).click();
  await asked;
  const again = page.waitForResponse(/chat\/stop/);
  await page.keyboard.press('Escape');
  await again;
  assert.equal(stopped.length, 2);
});

test('Enter and Escape of an input method are not the page’s', { skip }, async (t) => {
  const { url, accepted, stopped } = await serveWebForTests(t, {
    onMessage: (_message, adapter) => void adapter.typing?.(target),
  });
  const page = await open(t, url, { locale: 'zh-CN' });
  await page.getByPlaceholder('给 Antler 发消息').fill('nihao');
  for (const key of ['Enter', 'Escape'])
    for (const init of [{ isComposing: true }, { keyCode: 229 }])
      await page.locator('#text').dispatchEvent('keydown', { key, ...init });
  assert.equal(await page.locator('#text').inputValue(), 'nihao');
  await page.locator('#text').fill('你好');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '停止回答' }).waitFor();
  await page.locator('#text').dispatchEvent('keydown', { key: 'Escape', isComposing: true });
  assert.deepEqual(
    accepted.map(({ text, sender }) => [text, sender.language]),
    [['你好', 'zh-CN']],
  );
  assert.equal(stopped.length, 0);
});

test('without a model the page says so, tests one before saving it, and labels the demo model', { skip }, async (t) => {
  const served = await serveWebForTests(t);
  const page = await open(t, served.url);
  await page.getByRole('heading', { name: 'Connect a model' }).waitFor();
  await page.getByLabel('Base URL').fill('https://llm.example.com');
  await page.getByLabel('Model name').fill('qwen3');
  await page.getByLabel('API key').fill('sk-secret');
  await page.keyboard.press('Enter');
  await page.getByText('try https://llm.example.com/v1').waitFor();
  assert.equal(
    (await page.locator('#setup-problem').textContent())?.trim(),
    'The endpoint does not know this address or model. Check the base URL and the model name. Most addresses end in /v1: try https://llm.example.com/v1',
  );

  await page.getByRole('button', { name: 'Use the built-in demo model' }).click();
  await page.locator('#demo').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'text');
  await page.getByRole('button', { name: 'Connect a real model' }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'base-url');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'connect');

  served.probe = { ok: true, ms: 3 };
  await page.getByRole('button', { name: 'Connect a real model' }).click();
  await page.getByLabel('API key').fill('sk-secret');
  await page.getByRole('button', { name: 'Test and save' }).click();
  await page.getByRole('button', { name: 'Change the model: qwen3' }).waitFor();
  assert.ok(await page.locator('#demo').isHidden());
  assert.ok(await page.locator('#setup').isHidden());
});

test('a message that cannot be sent is kept, survives a reload, and goes out once', { skip }, async (t) => {
  const { url, accepted, history } = await serveWebForTests(t);
  const page = await open(t, url);
  await page.route('**/api/v1/chat/messages', (route) => route.abort());
  await page.keyboard.type('important');
  await page.keyboard.press('Enter');
  await page.getByText('Not sent yet. Trying again.').waitFor();
  await page.reload();
  await shows(page, 'important');
  assert.equal(accepted.length, 0);
  // The server gets it, but its answer is lost.
  await page.route('**/api/v1/chat/messages', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.waitForFunction(() => document.querySelector('.note:not([hidden])') === null);
  await page.unroute('**/api/v1/chat/messages');
  await page.reload();
  await shows(page, 'important');
  assert.equal(await messages(page).count(), 1);
  assert.deepEqual([...new Set(accepted.map(({ id }) => id))].length, 1);
  assert.equal((await history()).messages.length, 1);
});

test('a message that is refused can be edited, and keeps its files', { skip }, async (t) => {
  const { url, accepted } = await serveWebForTests(t);
  const page = await open(t, url);
  await page.locator('#files').setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
  await page.locator('#send:not(:disabled)').waitFor();
  await page.locator('#text').evaluate((box) => box.removeAttribute('maxlength'));
  await page.locator('#text').fill('x'.repeat(50_001));
  await page.keyboard.press('Enter');
  await page.getByText('Not sent: the message is too long.').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  assert.equal((await page.locator('#text').inputValue()).length, 50_001);
  assert.equal(await messages(page).count(), 0);
  await page.locator('#text').fill('shorter');
  await page.keyboard.press('Enter');
  await page.locator('#messages a.file').waitFor();
  assert.deepEqual(
    accepted.map(({ text, files }) => [text, files.map(({ name }) => name)]),
    [['shorter', ['a.txt']]],
  );
});

test('a lost connection is said, and what was missed is there when it is back', { skip }, async (t) => {
  const { url, adapter } = await serveWebForTests(t);
  await adapter.send(target, { markdown: 'before' }, { key: 'k:1' });
  const page = await open(t, url);
  await shows(page, 'before');
  await adapter.stop();
  await adapter.send(target, { markdown: 'meanwhile' }, { key: 'k:2' });
  await adapter.edit?.(target, 'k:1', { markdown: 'changed' }, { key: 'e:1' });
  await page.getByText('Connection lost. Reconnecting …').waitFor();
  await adapter.start();
  await shows(page, 'meanwhile');
  await shows(page, 'changed');
  assert.ok(await page.locator('#connection').isHidden());
});

test('everything can be reached by keyboard, and older messages can be loaded', { skip }, async (t) => {
  const { url, adapter, accepted } = await serveWebForTests(t);
  for (let n = 1; n <= 60; n++) await adapter.send(target, { markdown: `message ${n}` }, { key: `k:${n}` });
  await adapter.send(target, { markdown: '```\ncode\n```' }, { key: 'k:code' });
  const page = await open(t, url);
  await shows(page, 'message 60');
  await page.getByRole('button', { name: 'Use the built-in demo model' }).press('Enter');
  await page.locator('#demo').waitFor();
  await page.locator('body').evaluate((body) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    body.focus();
  });
  const reached: string[] = [];
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const element = document.activeElement;
      const outline = element === null ? '' : getComputedStyle(element).outlineStyle;
      const name = element?.id || element?.className || element?.tagName;
      const ringed = outline !== 'none' || element?.closest('.composer') !== null;
      return `${name}${ringed ? '' : ' without a visible focus'}`;
    });
    if (!name.startsWith('BODY')) reached.push(name);
    if (name === 'text') break;
  }
  assert.deepEqual(reached, ['skip', 'new', 'connect', 'log', 'older', 'copy', 'PRE', 'attach', 'text']);

  await page.locator('#older').focus();
  await page.keyboard.press('Enter');
  await shows(page, 'message 1');
  assert.equal(await messages(page).count(), 61);
  assert.ok(await page.locator('#older').isHidden());
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'log');
  assert.ok(await page.locator('#jump').isVisible());
  await page.locator('#jump').press('Enter');
  await page.locator('#jump').waitFor({ state: 'hidden' });

  await page.locator('#new').press('Enter');
  await page.locator('.divider').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'text');
  await page.waitForFunction(() => document.querySelector('.note:not([hidden])') === null);
  assert.deepEqual(
    accepted.map(({ text }) => text),
    ['/new'],
  );
});

test('at 320 pixels nothing sticks out, in light and dark', { skip }, async (t) => {
  const { url, adapter } = await serveWebForTests(t);
  const wide = 'x'.repeat(90);
  const markdown = `${wide}\n\n\`\`\`\n${wide}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${wide} | c |\n\n- https://x.y/${wide}`;
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(t, url, {
      viewport: { width: 320, height: 568 },
      colorScheme,
      hasTouch: true,
      isMobile: true,
    });
    await page.getByRole('heading', { name: 'Connect a model' }).waitFor();
    await adapter.send(target, { markdown }, { key: `k:${colorScheme}` });
    await page.locator('.body table').first().waitFor();
    const sizes = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      log: document.querySelector('#log')?.scrollWidth,
      ground: getComputedStyle(document.body).backgroundColor,
    }));
    assert.deepEqual([sizes.page, sizes.log], [320, 320]);
    assert.equal(sizes.ground === 'rgb(23, 23, 20)', colorScheme === 'dark');
    for (const control of ['#text', '#send', '#new']) {
      const box = await page.locator(control).boundingBox();
      assert.ok(box !== null && box.height >= 36 && box.x >= 0 && box.x + box.width <= 320, control);
    }
    if (process.env.ANTLER_TEST_SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(tmpdir(), `antler-chat-320-${colorScheme}.png`) });
  }
});

test('where a login is needed, the owner signs in by keyboard, and out again', { skip }, async (t) => {
  const { url } = await serveWebForTests(t, { publicUrl: 'http://bot.example.com' });
  const page = await open(t, url);
  await page.getByLabel('Owner’s token').waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'token');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('That is not the owner’s token.').waitFor();
  await page.keyboard.type(OWNER_TOKEN);
  await page.keyboard.press('Enter');
  await page.getByPlaceholder('Message Antler').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Owner’s token').waitFor();
});

test('files are chosen, dropped and pasted, go out with the message, and can be taken back', { skip }, async (t) => {
  const { url, accepted } = await serveWebForTests(t);
  const page = await open(t, url);
  const tray = page.locator('#tray li');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await page.locator('#files').setInputFiles([text('a.txt'), text('b.txt')]);
  await page.getByRole('button', { name: 'Do not send b.txt' }).click();
  for (const kind of ['drop', 'paste'])
    await page.evaluate((kind) => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], `${kind}.txt`, { type: 'text/plain' }));
      const options = { bubbles: true, cancelable: true };
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data });
      document.dispatchEvent(event);
    }, kind);
  await page.locator('#files').setInputFiles([{ ...text('empty.txt'), buffer: Buffer.alloc(0) }]);
  await tray
    .filter({ hasText: 'empty.txt' })
    .filter({ hasText: /empty$|empty×/ })
    .waitFor();
  await page.waitForFunction(() => !document.querySelector('#tray')?.textContent?.includes('Uploading'));
  assert.equal(await tray.count(), 4);
  await send.click();
  await page.locator('#messages a.file').first().waitFor();
  assert.deepEqual(
    accepted.map(({ text: words, files }) => [words, files.map(({ name }) => name)]),
    [['', ['a.txt', 'drop.txt', 'paste.txt']]],
  );
  assert.equal(await tray.count(), 0);
  assert.ok(await send.isDisabled());
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'a.txt' }).click();
  assert.equal((await saving).suggestedFilename(), 'a.txt');
});

test('an image is shown in the page, and one that is kept no more is named', { skip }, async (t) => {
  const { url, adapter, store } = await serveWebForTests(t);
  const page = await open(t, url);
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.locator('#files').setInputFiles([{ name: 'dot.png', mimeType: 'image/png', buffer: pixel }]);
  await page.locator('#text').fill('look');
  await page.waitForFunction(() => document.querySelector('#send:not(:disabled)') !== null);
  await page.keyboard.press('Enter');
  const image = page.getByRole('img', { name: 'dot.png' });
  await image.waitFor();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.picture img')?.naturalWidth === 1);
  const file = {
    id: newFileId(),
    kind: 'image',
    name: 'old.png',
    mime: 'image/png',
    bytes: 9,
    content: pixel,
  } as const;
  await adapter.sendFile?.(target, file, '', { key: 'k:1' });
  await page.getByText('no longer kept').waitFor();
  assert.equal((await store.hosted('web').list('owner', 10)).length, 2);
});
