import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { playIlink } from '../play/ilink.ts';
import type { Playground } from '../play/port.ts';
import { playSlack } from '../play/slack.ts';
import { playTelegram } from '../play/telegram.ts';
import { caller } from '../telegram/testing.ts';
import { type DemoPage, startDemoPage } from './index.ts';
import type { PageEvent } from './view.ts';

let telegram: Playground;
let slack: Playground;
let wechat: Playground;
let page: DemoPage;

before(async () => {
  [telegram, slack, wechat] = await Promise.all([playTelegram(), playSlack(), playIlink({ scans: 'player' })]);
  page = await startDemoPage({ plays: [telegram, slack, wechat] });
});
after(async () => {
  await page.stop();
  await Promise.all([telegram.stop(), slack.stop(), wechat.stop()]);
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(path, page.url), { headers });

async function act(action: unknown, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(new URL('actions', page.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(action),
  });
  await response.body?.cancel();
  return response.status;
}

const ann = { platform: 'telegram', chat: 'ann', by: 'ann' };
const botSays = (play: Playground, text: string, more: object = {}) =>
  caller(String(play.settings.api_root), String(play.settings.bot_token))('sendMessage', {
    chat_id: Number(play.annAlone.id),
    text,
    ...more,
  });

/** Reads events until one is what is looked for. */
async function eventLike(isIt: (event: PageEvent) => boolean): Promise<PageEvent> {
  const { body } = await get('events');
  assert.ok(body);
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = JSON.parse(block.replace(/^data: /, '')) as PageEvent;
      if (isIt(event)) return event;
    }
  }
  return assert.fail('the stream has ended');
}

test('other web pages cannot use it', async () => {
  const say = { do: 'say', ...ann, text: 'forged' };
  assert.equal(await act(say, { origin: 'https://evil.example' }), 403);
  assert.equal(await act(say, { 'content-type': 'text/plain' }), 415);
  assert.equal((await get('files/telegram/x', { origin: 'https://evil.example' })).status, 403);
  assert.deepEqual(telegram.shown(telegram.annAlone), []);
});

test('a name that was pointed at this machine is no way in', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const asked = request(page.url, { headers: { host: 'evil.example' } }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  });
  asked.on('error', reject).end();
  assert.equal(await promise, 403);
});

test('the page runs its own scripts and styles only', async () => {
  const response = await get('/');
  const html = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(html, /<style|style=|\son\w+=|<script(?![^>]*src)/);
  for (const [, path = ''] of html.matchAll(/(?:src|href)="([^":]+)"/g)) assert.equal((await get(path)).status, 200);
});

test('nonsense is refused', async () => {
  assert.equal(await act({ do: 'fly' }), 400);
  assert.equal(await act({ do: 'say', ...ann, text: ' ' }), 400);
  assert.equal(await act({ do: 'say', ...ann, text: 'x', file: { name: 'x', mime: 'text/plain', content: '!' } }), 400);
  assert.equal(await act({ do: 'say', ...ann, platform: 'pigeon', text: 'x' }), 404);
  assert.equal(await act({ do: 'say', platform: 'wechat', chat: 'group', by: 'ann', text: 'x' }), 404);
  assert.equal(await act({ do: 'say', ...ann, by: 'bo', text: 'x' }), 403);
  assert.equal(await act({ do: 'say', ...ann, text: 'x', quoting: 'never' }), 404);
  assert.equal(await act({ do: 'press', ...ann, message: 'never', label: 'Yes' }), 404);
  assert.equal(await act({ do: 'scan', platform: 'telegram' }), 404);
  const paths = ['index.ts', 'files/telegram/never', 'files/pigeon/x', 'codes/telegram', 'codes/pigeon', 'browser/'];
  for (const path of paths) assert.equal((await get(path)).status, 404, path);
  assert.equal((await get('files/telegram/%ff')).status, 400);
  assert.deepEqual(telegram.shown(telegram.annAlone), []);
});

test('people speak in their chats, to the bot or to each other', async () => {
  const group = { platform: 'slack', chat: 'group', by: 'bo' };
  assert.equal(await act({ do: 'say', ...group, text: 'lunch?' }), 204);
  assert.equal(await act({ do: 'say', ...group, by: 'ann', text: 'what time is it', toBot: true }), 204);
  assert.equal(await act({ do: 'say', ...group, text: '@antler help', toBot: true }), 204);
  assert.ok(slack.group !== undefined);
  assert.deepEqual(
    slack.shown(slack.group).map(({ by, text }) => [by.name, text]),
    [
      ['小波', 'lunch?'],
      ['Ann Lee', '@antler what time is it'],
      ['小波', '@antler help'],
    ],
  );
});

test('people change and take back what they said themselves, and nothing else', async () => {
  await act({ do: 'say', platform: 'slack', chat: 'group', by: 'ann', text: 'teh' });
  assert.ok(slack.group !== undefined);
  const message = slack.shown(slack.group).at(-1)?.id ?? '';
  const place = { platform: 'slack', chat: 'group', message };
  assert.equal(await act({ do: 'edit', ...place, by: 'bo', text: 'mine now' }), 403);
  assert.equal(await act({ do: 'recall', ...place, by: 'bo' }), 403);
  assert.equal(await act({ do: 'edit', ...place, by: 'ann', text: 'the' }), 204);
  const shown = slack.shown(slack.group).at(-1);
  assert.deepEqual([shown?.text, shown?.edits], ['the', 1]);
  assert.equal(await act({ do: 'recall', ...place, by: 'ann' }), 204);
  assert.notEqual(slack.shown(slack.group).at(-1)?.id, message);
});

test('where a platform lets nobody edit or take back, neither is done', async () => {
  await act({ do: 'say', ...ann, text: 'stays' });
  const message = telegram.shown(telegram.annAlone).at(-1)?.id;
  assert.equal(await act({ do: 'recall', ...ann, message }), 404);
  await act({ do: 'say', ...ann, platform: 'wechat', text: 'stays' });
  const other = wechat.shown(wechat.annAlone).at(-1)?.id;
  assert.equal(await act({ do: 'edit', ...ann, platform: 'wechat', message: other, text: 'goes' }), 404);
});

test('buttons are pressed by their label', async () => {
  await botSays(telegram, 'Sure?', { reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] } });
  const message = telegram.shown(telegram.annAlone).at(-1)?.id;
  assert.equal(await act({ do: 'press', ...ann, message, label: 'No' }), 404);
  assert.equal(await act({ do: 'press', ...ann, message, label: 'Yes' }), 204);
});

test('files come and go whole, and only pictures are shown in the page', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const content = Buffer.from(svg).toString('base64');
  const file = { name: '图 (1).svg', mime: 'image/svg+xml', content };
  assert.equal(await act({ do: 'say', ...ann, platform: 'slack', text: 'look', file }), 204);
  const [shown] = slack.shown(slack.annAlone).at(-1)?.files ?? [];
  const got = await get(`files/slack/${encodeURIComponent(shown?.id ?? '')}`);
  assert.equal(await got.text(), svg);
  assert.equal(got.headers.get('content-type'), 'application/octet-stream');
  assert.equal(got.headers.get('content-disposition'), "attachment; filename*=UTF-8''%E5%9B%BE%20%281%29.svg");
  assert.match(got.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal(got.headers.get('cross-origin-resource-policy'), 'same-origin');

  const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
  await act({
    do: 'say',
    ...ann,
    text: '',
    file: { name: 'a.gif', mime: 'image/gif', content: gif.toString('base64') },
  });
  const [picture] = telegram.shown(telegram.annAlone).at(-1)?.files ?? [];
  const seen = await get(`files/telegram/${encodeURIComponent(picture?.id ?? '')}`);
  assert.equal(seen.headers.get('content-type'), 'image/gif');
  assert.deepEqual(Buffer.from(await seen.arrayBuffer()), gif);
});

test('a file that is too large is refused', async () => {
  const file = { name: 'x', mime: 'a/b', content: Buffer.alloc(4_000_001).toString('base64') };
  assert.equal(await act({ do: 'say', ...ann, text: 'x', file }), 413);
});

test('a bot that wants to be logged in shows a code, until somebody has scanned it', async () => {
  assert.equal((await get('codes/wechat')).status, 404);
  assert.equal(await act({ do: 'scan', platform: 'wechat' }), 404);
  const coming = eventLike((event) => event.type === 'login' && event.login.waits);
  // The stream stands once its snapshot has come.
  await eventLike((event) => event.type === 'snapshot');
  const asked = await fetch(`${String(wechat.settings.api_root)}/ilink/bot/get_bot_qrcode?bot_type=3`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ local_token_list: [] }),
  });
  assert.equal(asked.status, 200);
  const event = await coming;
  assert.ok(event.type === 'login' && event.login.waits);
  const picture = await get(event.login.picture);
  assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
  assert.match(await picture.text(), /^<svg/);
  assert.equal(await act({ do: 'scan', platform: 'wechat' }), 204);
  assert.equal(wechat.login?.waiting(), undefined);
});

test('what has changed is told message by message, and what is gone by its id', async () => {
  const place = { platform: 'slack', chat: 'bo', by: 'bo' };
  const says = (text: string) => (event: PageEvent) =>
    event.type === 'chat' && event.seat === 'bo' && event.messages.some((message) => message.text === text);
  const first = eventLike(says('one'));
  await eventLike((event) => event.type === 'snapshot');
  await act({ do: 'say', ...place, text: 'one' });
  await first;
  const second = eventLike(says('two'));
  await eventLike((event) => event.type === 'snapshot');
  await act({ do: 'say', ...place, text: 'two' });
  const told = await second;
  assert.ok(told.type === 'chat');
  assert.deepEqual(
    told.messages.map(({ text }) => text),
    ['two'],
  );
  const id = told.messages[0]?.id ?? '';
  const gone = eventLike((event) => event.type === 'chat' && event.gone.includes(id));
  await eventLike((event) => event.type === 'snapshot');
  await act({ do: 'recall', ...place, message: id });
  assert.deepEqual(await gone, { type: 'chat', platform: 'slack', seat: 'bo', messages: [], gone: [id] });
});
