import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../testing/browser.ts';
import { findChromium } from '../../testing/services.ts';
import type { Playground } from '../play/port.ts';
import { playSlack } from '../play/slack.ts';
import { playTelegram } from '../play/telegram.ts';
import { type ApiCaller, caller } from '../telegram/testing.ts';
import { type DemoPage, startDemoPage } from './index.ts';

describe('the demo page in a browser', {
  skip: findChromium() === undefined && 'Install Chromium to run this.',
}, () => {
  let telegram: Playground;
  let slack: Playground;
  let page: DemoPage;
  let call: ApiCaller;
  let browser: Browser;
  let tab: Page;
  const faults: string[] = [];

  before(async () => {
    [telegram, slack] = await Promise.all([playTelegram(), playSlack()]);
    call = caller(String(telegram.settings.api_root), String(telegram.settings.bot_token));
    page = await startDemoPage({ plays: [telegram, slack] });
    browser = await launchBrowser();
    tab = await browser.newPage({ viewport: { width: 1440, height: 860 }, locale: 'en-US' });
    tab.setDefaultTimeout(10_000);
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await tab.goto(page.url);
  });
  after(async () => {
    await browser.close();
    await page.stop();
    await Promise.all([telegram.stop(), slack.stop()]);
    assert.deepEqual(faults, []);
  });

  const shown = (pane: string, text: string) => tab.locator(`#telegram-${pane} .text`, { hasText: text });
  const input = (pane: string, platform = 'telegram') => tab.locator(`#${platform}-${pane} textarea`);
  const chat = () => Number(telegram.annAlone.id);
  const newest = (play = telegram, where = play.annAlone) => play.shown(where).at(-1);

  test('what a person writes reaches the platform, and answers grow while they are edited', async () => {
    await input('ann').fill('hello');
    await input('ann').press('Enter');
    await shown('ann', 'hello').waitFor();
    assert.equal(newest()?.text, 'hello');
    const { result } = await call('sendMessage', { chat_id: chat(), text: 'On' });
    await shown('ann', 'On').waitFor();
    const { message_id } = result as { message_id: number };
    const text = 'One two <b>three</b>';
    await call('editMessageText', { chat_id: chat(), message_id, text, parse_mode: 'HTML' });
    await shown('ann', 'One two three').waitFor();
    assert.equal(await tab.locator('#telegram-ann strong').textContent(), 'three');
    assert.equal(await tab.locator('#telegram-ann article').count(), 2);
    await tab.locator('#telegram-ann .footer', { hasText: 'edited' }).waitFor();
  });

  test('formatting is shown, and nothing that is said becomes HTML or a script link', async () => {
    const evil = '<img src=x onerror="document.title=1"> &amp; [x]';
    const entities = [
      { type: 'text_link', offset: 0, length: 4, url: 'javascript:alert(1)' },
      { type: 'italic', offset: 5, length: 3 },
    ];
    await call('sendMessage', { chat_id: chat(), text: evil, entities });
    await shown('ann', evil).waitFor();
    assert.equal(await tab.locator('.pane img').count(), 0);
    assert.equal(await tab.locator('a[href^="javascript"]').count(), 0);
    assert.equal(await tab.title(), 'Antler – demo');
  });

  test('typing shows, and ends with the message', async () => {
    await call('sendChatAction', { chat_id: chat(), action: 'typing' });
    const status = tab.locator('#telegram-ann .status');
    await status.filter({ hasText: 'is typing' }).waitFor();
    await call('sendMessage', { chat_id: chat(), text: 'typed' });
    await shown('ann', 'typed').waitFor();
    assert.equal(await status.textContent(), '');
  });

  test('a button is pressed by the one who is chosen to speak', async () => {
    const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] };
    await call('sendMessage', { chat_id: Number(telegram.group?.id), text: 'Sure?', reply_markup });
    await input('group').fill('a draft');
    await tab.locator('#telegram-group .speakers').getByText('小波').click();
    assert.equal(await input('group').inputValue(), 'a draft');
    await input('group').fill('');
    await tab.locator('#telegram-group .key', { hasText: 'Yes' }).click();
    await tab.locator('#telegram-group .key:enabled').waitFor();
    const { result } = await call('getUpdates', { offset: -1 });
    const [update] = result as { callback_query: { data: string; from: { first_name: string } } }[];
    assert.deepEqual([update?.callback_query.from.first_name, update?.callback_query.data], ['小波', 'y']);
  });

  test('by keyboard: call the bot by name, reply as another person, edit the last message', async () => {
    const group = telegram.group ?? assert.fail('no group');
    await tab.locator('#telegram-group .speakers input').last().focus();
    await input('group').focus();
    await input('group').pressSequentially('@ant');
    await tab.locator('#telegram-group [role=option]', { hasText: '@antler_bot' }).waitFor();
    await tab.keyboard.press('Enter');
    await tab.keyboard.type('你好');
    await tab.keyboard.press('Enter');
    await shown('group', '@antler_bot 你好').waitFor();
    const said = newest(telegram, group);
    assert.deepEqual([said?.by.name, said?.text], ['小波', '@antler_bot 你好']);

    await tab.locator('#telegram-group .speakers input').last().focus();
    await tab.keyboard.press('ArrowLeft');
    await tab.locator('#telegram-group article', { hasText: '你好' }).getByRole('button', { name: 'Reply' }).focus();
    await tab.keyboard.press('Enter');
    await tab.keyboard.type('hi Bo');
    await tab.keyboard.press('Shift+Tab');
    await tab.locator('#telegram-group .to-bot input').focus();
    await tab.keyboard.press('Space');
    await input('group').press('Enter');
    await shown('group', 'hi Bo').waitFor();
    const reply = newest(telegram, group);
    assert.deepEqual([reply?.by.name, reply?.text, reply?.quoting?.id], ['Ann', 'hi Bo', said?.id]);

    await input('group').press('ArrowUp');
    await tab.keyboard.press('End');
    await tab.keyboard.type('!');
    await tab.keyboard.press('Enter');
    await shown('group', 'hi Bo!').waitFor();
    assert.equal(newest(telegram, group)?.edits, 1);
  });

  test('a command that is written out had to be sent by two presses of Enter', async () => {
    await input('ann').pressSequentially('/stop');
    await tab.locator('#telegram-ann [role=option]', { hasText: '/stop' }).waitFor();
    await tab.keyboard.press('Enter');
    await shown('ann', '/stop').waitFor();
    await input('ann').pressSequentially('/sto');
    await tab.keyboard.press('Enter');
    assert.equal(await input('ann').inputValue(), '/stop ');
    await input('ann').fill('');
  });

  test('what comes on another platform is counted on its tab until it is seen', async () => {
    const slackTab = tab.getByRole('tab', { name: 'Slack' });
    assert.equal(await slackTab.locator('.unread').isVisible(), false);
    assert.ok(slack.group !== undefined);
    await slack.say(slack.bo, slack.group, { text: 'lunch?' });
    await slackTab.locator('.unread', { hasText: '1' }).waitFor();
    await tab.getByRole('tab', { name: 'Telegram' }).focus();
    await tab.keyboard.press('ArrowRight');
    await tab.locator('#slack-group .text', { hasText: 'lunch?' }).waitFor();
    assert.equal(await slackTab.locator('.unread').isVisible(), false);
    assert.equal(await tab.locator('#telegram').isVisible(), false);
    await tab.reload();
    await tab.locator('#slack-group .text', { hasText: 'lunch?' }).waitFor();
  });

  test('a file is attached, shown, taken back', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const chooser = tab.waitForEvent('filechooser');
    await tab.locator('#slack-ann').getByRole('button', { name: 'Attach a file' }).click();
    await (await chooser).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
    await tab.locator('#slack-ann .attached', { hasText: 'dot.png' }).waitFor();
    await tab.locator('#slack-ann').getByRole('button', { name: 'Send' }).click();
    const picture = tab.locator('#slack-ann img');
    await picture.waitFor();
    await tab.waitForFunction('document.querySelector("#slack-ann img").naturalWidth === 1');
    assert.equal(await tab.locator('#slack-ann .attached').isVisible(), false);
    await tab.locator('#slack-ann article').hover();
    await tab.locator('#slack-ann').getByRole('button', { name: 'Take back' }).click();
    await picture.waitFor({ state: 'detached' });
    assert.deepEqual(slack.shown(slack.annAlone), []);
  });

  test('what can be done with a message is seen whole, however short the message is', async () => {
    await slack.say(slack.ann, slack.annAlone, { text: 'ok' });
    const message = tab.locator('#slack-ann .message', { hasText: 'ok' });
    await message.hover();
    const chat = await tab.locator('#slack-ann .log').boundingBox();
    for (const tool of await message.locator('.tools button').all()) {
      const box = await tool.boundingBox();
      assert.ok(box !== null && chat !== null && box.x >= chat.x && box.x + box.width <= chat.x + chat.width);
    }
    assert.equal(await message.locator('.tools button').count(), 3);
  });

  test('a phone shows one chat at a time and never scrolls sideways', async () => {
    await tab.setViewportSize({ width: 360, height: 640 });
    assert.equal(await tab.locator('.pane:visible').count(), 1);
    await tab.locator('#slack .chats button', { hasText: '小波与' }).click();
    assert.equal(await tab.locator('#slack-bo').isVisible(), true);
    await slack.say(slack.ann, slack.annAlone, { text: 'my own words are not news' });
    await slack.say(slack.bo, slack.group ?? assert.fail('no group'), { text: 'news' });
    await tab.locator('#slack .chats button', { hasText: '#team' }).locator('.unread', { hasText: '1' }).waitFor();
    const overflow = await tab.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(overflow, 0);
  });
});
