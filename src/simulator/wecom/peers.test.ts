import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WSClient } from '@wecom/aibot-node-sdk';
import { decrypt, encrypt, getSignature } from '@wecom/crypto';
import { XMLParser } from 'fast-xml-parser';
import { field, textAt } from '../kit/field.ts';
import { startWecom, type WecomOptions } from './index.ts';

const nothing = (): void => {};
const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

async function setStage(t: TestContext, options: WecomOptions = {}) {
  const wecom = await startWecom({ ...options, limits: { pollMs: 10, retryMs: [10, 10, 10], ...options.limits } });
  t.after(() => wecom.stop());
  const bot = wecom.addBot('Antler');
  const app = wecom.addApp('Antler');
  const ann = wecom.addPerson('Ann', 'ann');
  return { wecom, bot, app, ann, chat: wecom.openDirectChat(ann, bot), appChat: wecom.openDirectChat(ann, app) };
}

/** A client of Tencent's own SDK that is subscribed. */
async function subscribed(t: TestContext, url: string, botId: string, secret: string) {
  const client = new WSClient({
    botId,
    secret,
    wsUrl: url,
    maxReconnectAttempts: 0,
    maxAuthFailureAttempts: 0,
    logger,
  });
  t.after(() => client.disconnect());
  client.connect();
  await new Promise<void>((resolve, reject) => {
    client.once('authenticated', () => resolve());
    client.once('error', reject);
  });
  return client;
}

const nextFrame = (client: WSClient, event: 'message' | 'event') =>
  new Promise<{ headers: { req_id: string }; body?: unknown }>((resolve) => client.once(event, resolve));

/** Somebody's callback address that answers as told. */
async function address(
  t: TestContext,
  answer: (request: IncomingMessage, body: string) => { status?: number; body?: string },
) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { status = 200, body: text = '' } = answer(request, body);
    response.writeHead(status).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
}

test('Tencent’s SDK subscribes, hears a message and answers it in its place', async (t) => {
  const { wecom, bot, ann, chat } = await setStage(t);
  const client = await subscribed(t, wecom.wsUrl, bot.id, bot.secret);
  const heard = nextFrame(client, 'message');
  wecom.people.say(ann, chat, 'hello');
  const frame = await heard;
  assert.equal(textAt(frame.body, 'text', 'content'), 'hello');
  await client.replyStream(frame, 's1', 'one');
  await client.replyStream(frame, 's1', 'one two', true);
  const answer = await wecom.waitFor(chat, ({ text }) => text === 'one two');
  assert.deepEqual(answer.history, ['one', 'one two']);
  await assert.rejects(
    client.replyStream(frame, 's1', 'more', true),
    (refused) => field(refused, 'errcode') === 846605,
  );
});

test('Tencent’s SDK uploads a file in chunks, and opens one that a person has sent', async (t) => {
  const { wecom, bot, ann, chat } = await setStage(t);
  const client = await subscribed(t, wecom.wsUrl, bot.id, bot.secret);
  const content = Buffer.alloc(600 * 1024, 5);
  const { media_id } = await client.uploadMedia(content, { type: 'file', filename: '报.bin' });
  await client.sendMediaMessage(chat.id, 'file', media_id);
  const { file } = await wecom.waitFor(chat, (message) => message.file !== undefined);
  assert.deepEqual([file?.name, Buffer.from(file?.content ?? []).equals(content)], ['报.bin', true]);
  const heard = nextFrame(client, 'message');
  wecom.people.send(ann, chat, { kind: 'file', name: '周报.txt', content: Buffer.from('up') });
  const { body } = await heard;
  const fetched = await client.downloadFile(textAt(body, 'file', 'url'), textAt(body, 'file', 'aeskey'));
  assert.deepEqual([fetched.filename, fetched.buffer.toString()], ['周报.txt', 'up']);
});

test('whoever subscribes later takes the bot over; a wrong secret does not', async (t) => {
  const { wecom, bot } = await setStage(t);
  const first = await subscribed(t, wecom.wsUrl, bot.id, bot.secret);
  await assert.rejects(subscribed(t, wecom.wsUrl, bot.id, 'wrong'));
  assert.ok(wecom.sockets.isConnected(bot));
  const kicked = nextFrame(first, 'event');
  await subscribed(t, wecom.wsUrl, bot.id, bot.secret);
  assert.equal(textAt((await kicked).body, 'event', 'eventtype'), 'disconnected_event');
});

test('answers that are too long, too late or to the wrong thing are refused', async (t) => {
  let ahead = 0;
  const { wecom, bot, ann, chat } = await setStage(t, { now: () => Date.now() + ahead });
  const client = await subscribed(t, wecom.wsUrl, bot.id, bot.secret);
  const code = (call: Promise<unknown>) =>
    call.then(
      () => 0,
      (refused: unknown) => field(refused, 'errcode'),
    );
  const heard = nextFrame(client, 'message');
  wecom.people.say(ann, chat, 'hello');
  const frame = await heard;
  assert.equal(await code(client.replyStream(frame, 's', '谢'.repeat(6_827))), 45002);
  assert.equal(await code(client.replyStream(frame, 's', '谢'.repeat(6_826))), 0);
  assert.equal(await code(client.replyStream(frame, 'another', 'x')), 846605);
  ahead = 361_000;
  assert.equal(await code(client.replyStream(frame, 's', 'x')), 846608);
  const entered = nextFrame(client, 'event');
  wecom.people.enter(ann, chat);
  const event = await entered;
  assert.equal(await code(client.replyStream(event, 's', 'x')), 846605);
  ahead += 5_001;
  assert.equal(await code(client.replyWelcome(event, { msgtype: 'text', text: { content: 'hi' } })), 846605);
  assert.equal(await code(client.sendMessage('nobody', { msgtype: 'markdown', markdown: { content: 'x' } })), 40003);
});

test('a callback is signed and encrypted as WeCom’s own library reads it, and asks until the answer is finished', async (t) => {
  const { wecom, bot, ann, chat } = await setStage(t);
  const seen: string[] = [];
  const url = await address(t, (request, body) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const text = query.get('echostr') ?? textAt(JSON.parse(body), 'encrypt');
    const [timestamp, nonce] = [query.get('timestamp') ?? '', query.get('nonce') ?? ''];
    assert.equal(query.get('msg_signature'), getSignature(bot.token, timestamp, nonce, text));
    const { message, id } = decrypt(bot.aesKey, text);
    assert.equal(id, '');
    if (query.has('echostr')) return { body: message };
    seen.push(textAt(JSON.parse(message), 'msgtype'));
    const stream = { id: 's', finish: seen.length === 3, content: 'x'.repeat(seen.length) };
    const encrypted = encrypt(bot.aesKey, JSON.stringify({ msgtype: 'stream', stream }), '');
    const msgsignature = getSignature(bot.token, timestamp, nonce, encrypted);
    return { body: JSON.stringify({ encrypt: encrypted, msgsignature, timestamp, nonce }) };
  });
  await wecom.register(bot, url);
  wecom.people.say(ann, chat, 'hello');
  await wecom.waitFor(chat, ({ text }) => text === 'xxx');
  assert.deepEqual(seen, ['text', 'stream', 'stream']);
});

test('an app is called by XML that any parser reads, again when it fails, three times at most', async (t) => {
  const { wecom, app, ann, appChat } = await setStage(t);
  const contents: unknown[] = [];
  const url = await address(t, (request, body) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const parse = (xml: string): unknown => new XMLParser({ processEntities: false, parseTagValue: false }).parse(xml);
    const text = query.get('echostr') ?? textAt(parse(body), 'xml', 'Encrypt');
    const { message, id } = decrypt(app.aesKey, text);
    assert.equal(id, app.corpId);
    if (query.has('echostr')) return { body: message };
    contents.push(field(parse(message), 'xml', 'Content'));
    return { status: 500 };
  });
  await wecom.register(app, url);
  wecom.people.say(ann, appChat, 'a ]]> b');
  while (contents.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(
    contents,
    Array.from({ length: 4 }, () => 'a ]]> b'),
  );
});

test('an address that does not answer exactly is not taken', async (t) => {
  const { wecom, app } = await setStage(t);
  const url = await address(t, () => ({ body: '"1616140317555161061"' }));
  await assert.rejects(wecom.register(app, url), /answers/);
});

async function call(url: string, path: string, query: Record<string, string>, body?: object) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${url}/cgi-bin/${path}?${new URLSearchParams(query)}`, init);
  return (await response.json()) as Record<string, unknown>;
}

test('an app’s API: tokens, cut texts, repetitions, people who are not there, and too much at once', async (t) => {
  const { wecom, app, appChat } = await setStage(t, { flood: true, limits: { appSendsPerMinute: 4 } });
  const { url } = wecom;
  const token = async () =>
    textAt(await call(url, 'gettoken', { corpid: app.corpId, corpsecret: app.secret }), 'access_token');
  const access_token = await token();
  assert.equal(await token(), access_token);
  assert.equal((await call(url, 'gettoken', { corpid: app.corpId, corpsecret: 'x' })).errcode, 40001);
  const send = (content: string, more: object = {}, to = 'ann') =>
    call(
      url,
      'message/send',
      { access_token },
      { touser: to, agentid: Number(app.agentId), msgtype: 'text', text: { content }, ...more },
    );
  await send('谢'.repeat(1_000));
  assert.equal(Buffer.byteLength(wecom.visible(appChat)[0]?.text ?? '') <= 2_049, true);
  const check = { enable_duplicate_check: 1, duplicate_check_interval: 1_800 };
  const [one, two, other] = [
    await send('OK', check),
    await send('OK', check),
    await send('OK', { ...check, duplicate_check_interval: 1_801 }),
  ];
  assert.equal(one.msgid, two.msgid);
  assert.notEqual(one.msgid, other.msgid);
  assert.equal((await send('x', {}, 'nobody')).invaliduser, 'nobody');
  await send('fourth');
  assert.equal((await send('one too many')).errcode, 0);
  assert.equal(wecom.visible(appChat).length, 4);
  wecom.expireTokens(app);
  assert.equal((await send('x')).errcode, 42001);
  assert.equal((await call(url, 'message/send', { access_token: 'x' }, {})).errcode, 40014);
});
