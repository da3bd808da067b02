import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { silentLogger } from '../base/logger.ts';
import { launchBrowser } from '../testing/browser.ts';
import { findChromium } from '../testing/services.ts';
import { type Demo, startDemo } from './demo.ts';

test('the demo starts on free ports, answers on both pages, and leaves nothing behind', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-test-'));
  const former = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  t.after(() => {
    if (former === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = former;
    rmSync(folder, { recursive: true });
  });
  const demo = await startDemo({ port: 0, log: silentLogger });
  try {
    for (const url of [demo.url, demo.antlerUrl]) {
      const response = await fetch(url);
      assert.equal(response.status, 200, url);
      await response.body?.cancel();
    }
  } finally {
    await demo.stop();
  }
  await assert.rejects(fetch(demo.url));
  assert.deepEqual(readdirSync(folder), []);
});

test('when its port is taken, the demo says so and stops what it had begun', async () => {
  const first = await startDemo({ port: 0, log: silentLogger });
  try {
    const port = Number(new URL(first.url).port);
    await assert.rejects(startDemo({ port, log: silentLogger }), { code: 'EADDRINUSE' });
  } finally {
    await first.stop();
  }
});

describe('the demo, played in a browser', {
  skip: findChromium() === undefined && 'Install Chromium to run this.',
}, () => {
  let demo: Demo;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  before(async () => {
    demo = await startDemo({ port: 0, log: silentLogger });
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 860 }, locale: 'en-US' });
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(demo.url);
  });
  after(async () => {
    await browser.close();
    await demo.stop();
    assert.deepEqual(faults, []);
  });

  const open = (platform: string) => page.getByRole('tab', { name: platform }).click();
  const answer = (pane: string, text: string | RegExp) =>
    page.locator(`#${pane} .from-bot .text`, { hasText: text }).first().waitFor();
  async function say(pane: string, text: string): Promise<void> {
    await page.locator(`#${pane} textarea`).fill(text);
    await page.locator(`#${pane} textarea`).press('Enter');
  }

  for (const platform of ['Telegram', 'Slack', 'Feishu', 'WeCom']) {
    const key = platform.toLowerCase();
    test(`on ${platform}, the bot answers in a direct chat and in a group, as the demo model that it is`, async () => {
      await open(platform);
      await say(`${key}-ann`, '12 × 12');
      await answer(`${key}-ann`, '144');
      await answer(`${key}-ann`, 'Demo model');
      await page.locator(`#${key}-group .speakers`).getByText('小波').click();
      await say(`${key}-group`, '你好');
      await answer(`${key}-group`, '你好');
      assert.equal(await page.locator(`#${key}-bo .from-bot`).count(), 0);
    });

    test(`on ${platform}, a question is answered by a button`, async () => {
      await open(platform);
      await say(`${key}-ann`, 'book a table');
      await page.locator(`#${key}-ann .from-bot`).getByRole('button', { name: 'Tomorrow at 7 pm' }).click();
      await answer(`${key}-ann`, /Noted: Tomorrow at 7 pm/);
    });
  }

  test('on WeChat, the bot is logged in by scanning its code, and answers then', async () => {
    await open('WeChat');
    await page.locator('#wechat .login').getByRole('button', { name: 'Scan' }).click();
    await page.locator('#wechat .login').waitFor({ state: 'hidden' });
    await say('wechat-bo', '12 × 12');
    await answer('wechat-bo', '144');
  });

  test('a file goes to the bot, and one comes back', async () => {
    await open('Slack');
    const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('name,price\npear,5\n') };
    await page.locator('#slack-bo input[type=file]').setInputFiles(file);
    await say('slack-bo', 'what is in it?');
    await answer('slack-bo', 'pear,5');
    await say('slack-bo', 'send me a file');
    const saved = page.waitForEvent('download');
    await page.locator('#slack-bo .from-bot .file').click();
    assert.match(await readFile(await (await saved).path(), 'utf8'), /^# /);
  });
});
