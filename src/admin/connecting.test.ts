import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hono } from 'hono';
import { silentLogger } from '../base/logger.ts';
import { launchBrowser } from '../testing/browser.ts';
import { findChromium } from '../testing/services.ts';
import { createHttpApp } from './app.ts';
import { createBusOperator } from './bus-operator.ts';
import { connectPage } from './connect-page.ts';
import { ownerGuard } from './guard.ts';
import { operations } from './operations.ts';
import type { Connection } from './operator.ts';
import { ownerToken } from './owner-token.ts';
import { serveHttp } from './serve.ts';
import { busForTests } from './testing/bus.ts';
import { settingsForTests } from './testing/settings.ts';

const skip =
  findChromium() === undefined ? 'Install Chromium (Debian: apt-get install chromium) for the page’s tests.' : false;

test('in a browser: the code, then the next one, the number that is asked for, and at last that all is well', {
  skip,
}, async (t) => {
  let connection: Connection = { state: 'login', qr: 'https://example.com/first', hint: 'Scan it.' };
  const typed = Promise.withResolvers<string>();
  const settings = await settingsForTests(t);
  const guard = ownerGuard({ host: '127.0.0.1', publicUrl: undefined, token: await ownerToken(settings), settings });
  const operator = createBusOperator({
    bus: await busForTests(t),
    channels: () => new Map([['wechat', connection]]),
    enterLoginCode: async (_, code) => typed.resolve(code),
    scrub: (text) => text,
    log: silentLogger,
  });
  const app = createHttpApp({
    guard,
    setup: new Hono(),
    operations: operations({ operator, log: silentLogger }),
    pages: [connectPage((channel) => (channel === 'wechat' ? connection : undefined))],
    webhooks: async () => null,
    health: () => ({}),
    ready: async () => ({ ready: true, reasons: [] }),
    log: silentLogger,
  });
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0 });
  const browser = await launchBrowser();
  t.after(async () => {
    await browser.close();
    await server.close();
  });
  const page = await browser.newPage({ locale: 'en-US' });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));

  await page.goto(`${server.url}/channels/wechat/login`);
  const picture = page.locator('#picture svg');
  await picture.waitFor();
  const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
  assert.ok(width > 200 && Math.abs(width - height) < 2, `a square of ${width} × ${height}`);
  const first = await picture.innerHTML();
  assert.equal(await page.locator('#number').isVisible(), false);

  connection = { ...connection, qr: 'https://example.com/second' };
  await page.waitForFunction((before) => document.querySelector('#picture svg')?.innerHTML !== before, first);

  connection = { ...connection, hint: 'Type in the number.', wantsCode: true };
  await page.getByText('Type in the number.').waitFor();
  await page.getByLabel('Number that the phone shows').fill('4711');
  await page.keyboard.press('Enter');
  assert.equal(await typed.promise, '4711');
  await page.getByText('Sent.').waitFor();

  connection = { state: 'connected' };
  await page.getByText('Connected.').waitFor();
  await picture.waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#number').isVisible(), false);
  assert.deepEqual(complaints, []);
});
