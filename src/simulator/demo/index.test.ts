import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../testing/services.ts';
import { type Bot, type Chat, startTelegram, type TelegramSimulator } from '../telegram/index.ts';
import { type ApiCaller, caller } from '../telegram/testing.ts';
import { type DemoPage, startDemoPage } from './index.ts';

let telegram: TelegramSimulator;
let bot: Bot & { readonly token: string };
let page: DemoPage;
let call: ApiCaller;
let annsChat: Chat;
let group: Chat;

before(async () => {
  telegram = await startTelegram();
  bot = telegram.addBot({ username: 'antler_bot', name: 'Antler' });
  page = await startDemoPage({ telegram, bot });
  call = caller(telegram.url, bot.token);
  const chats = new Map(telegram.chats.map((chat) => [chat.title, chat]));
  annsChat = chats.get('Ann') ?? assert.fail('Ann has no chat');
  group = chats.get('Team 小组') ?? assert.fail('there is no group');
});
after(async () => {
  await page.stop();
  await telegram.stop();
});

describe('the demo page over HTTP', () => {
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL('actions', page.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test('other web pages cannot use it', async () => {
    const say = { do: 'say', pane: 'ann-bot', text: 'forged' };
    assert.equal((await post(say, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await post(say, { 'content-type': 'text/plain' })).status, 415);
    assert.equal(telegram.visible(annsChat).length, 0);
  });

  test('nonsense is refused', async () => {
    assert.equal((await post({ do: 'fly' })).status, 400);
    assert.equal((await post({ do: 'say', pane: 'ann-bot', text: ' ' })).status, 400);
    assert.equal((await post({ do: 'say', pane: 'nobody', text: 'x' })).status, 404);
    assert.equal((await post({ do: 'press', pane: 'ann-bot', message: 999, row: 0, column: 0 })).status, 404);
    assert.equal((await fetch(new URL('../index.ts', page.url))).status, 404);
  });
});

describe('the demo page in a browser', {
  skip: findChromium() === undefined && 'Install Chromium to run this.',
}, () => {
  let browser: Browser;
  let tab: Page;
  const faults: string[] = [];

  before(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] });
    tab = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await tab.goto(page.url);
  });
  after(async () => {
    await browser.close();
    assert.deepEqual(faults, []);
  });

  const shown = (pane: string, text: string) => tab.locator(`#${pane} .text`, { hasText: text });
  const input = (pane: string) => tab.locator(`#${pane} textarea`);

  test('what a person writes reaches the bot, and answers grow while they are edited', async () => {
    await input('ann-bot').fill('hello');
    await input('ann-bot').press('Enter');
    await telegram.waitFor(annsChat, ({ content }) => content.text === 'hello');
    const { result } = await call('sendMessage', { chat_id: annsChat.id, text: 'On' });
    await shown('ann-bot', 'On').waitFor();
    const { message_id } = result as { message_id: number };
    await call('editMessageText', {
      chat_id: annsChat.id,
      message_id,
      text: 'One two <b>three</b>',
      parse_mode: 'HTML',
    });
    await shown('ann-bot', 'One two three').waitFor();
    assert.equal(await tab.locator('#ann-bot strong').textContent(), 'three');
    assert.equal(await tab.locator('#ann-bot article').count(), 2);
  });

  test('formatting is shown, and nothing that is said becomes HTML or a script link', async () => {
    const evil = '<img src=x onerror="document.title=1"> &amp; [x]';
    const entities = [
      { type: 'text_link', offset: 0, length: 4, url: 'javascript:alert(1)' },
      { type: 'italic', offset: 5, length: 3 },
    ];
    await call('sendMessage', { chat_id: annsChat.id, text: evil, entities });
    await shown('ann-bot', evil).waitFor();
    assert.equal(await tab.locator('.pane img').count(), 0);
    assert.equal(await tab.locator('a[href^="javascript"]').count(), 0);
    assert.equal(await tab.title(), 'Antler – demo');
  });

  test('typing shows, and ends with the message', async () => {
    await call('sendChatAction', { chat_id: annsChat.id, action: 'typing' });
    const status = tab.locator('#ann-bot .status');
    await status.filter({ hasText: 'Antler is typing' }).waitFor();
    await call('sendMessage', { chat_id: annsChat.id, text: 'typed' });
    await shown('ann-bot', 'typed').waitFor();
    assert.equal(await status.textContent(), '');
  });

  test('a button is pressed, and its answer appears to who pressed', async () => {
    const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] };
    await call('sendMessage', { chat_id: group.id, text: 'Sure?', reply_markup });
    await tab.locator('#bo-group .key', { hasText: 'Yes' }).click();
    const { result } = await call('getUpdates', { offset: -1 });
    const [update] = result as { callback_query: { id: string; data: string; from: { first_name: string } } }[];
    assert.equal(update?.callback_query.from.first_name, '小波');
    await call('answerCallbackQuery', { callback_query_id: update?.callback_query.id, text: 'Noted' });
    await tab.locator('#bo-group .notice', { hasText: 'Noted' }).waitFor();
    assert.equal(await tab.locator('#ann-group .notice').isVisible(), false);
  });

  test('by keyboard: mention the bot, reply, edit the last message', async () => {
    await input('bo-group').pressSequentially('@ant');
    await tab.locator('#bo-group [role=option]', { hasText: '@antler_bot' }).waitFor();
    await input('bo-group').press('Enter');
    await tab.keyboard.type('你好');
    await tab.keyboard.press('Enter');
    const said = await telegram.waitFor(group, ({ content }) => content.text === '@antler_bot 你好');
    assert.equal(said.content.entities[0]?.type, 'mention');
    await shown('ann-group', '@antler_bot 你好').waitFor();

    await tab.locator('#ann-group article', { hasText: '你好' }).getByRole('button', { name: 'Reply' }).focus();
    await tab.keyboard.press('Enter');
    await tab.keyboard.type('hi Bo');
    await tab.keyboard.press('Enter');
    assert.equal((await telegram.waitFor(group, ({ content }) => content.text === 'hi Bo')).replyTo, said);

    await shown('bo-group', 'hi Bo').waitFor();
    await input('bo-group').press('ArrowUp');
    await tab.keyboard.press('End');
    await tab.keyboard.type('！');
    await tab.keyboard.press('Enter');
    await telegram.waitFor(group, ({ content }) => content.text === '@antler_bot 你好！');
    assert.deepEqual(
      said.history.map(({ text }) => text),
      ['@antler_bot 你好', '@antler_bot 你好！'],
    );
  });

  test('a phone shows one chat at a time and never scrolls sideways', async () => {
    await tab.setViewportSize({ width: 360, height: 640 });
    assert.equal(await tab.locator('.pane:visible').count(), 1);
    await tab.locator('.tabs button', { hasText: '小波与' }).click();
    assert.equal(await tab.locator('#bo-bot').isVisible(), true);
    const overflow = await tab.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(overflow, 0);
  });
});
