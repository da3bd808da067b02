import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import * as sdk from '@larksuiteoapi/node-sdk';
import { startFeishu } from './index.ts';

/** The vendor's own SDK as an independent client: what it takes is what the platform sends. */
const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {}, trace: () => {} };
const KEY = 'an-encrypt-key';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function stage() {
  const feishu = await startFeishu({ limits: { frameBytes: 50 } });
  closers.push(() => feishu.stop());
  const app = feishu.addApp();
  const ann = feishu.addUser('Ann');
  return { feishu, app, ann, chat: feishu.openDirectChat(ann, app) };
}

function dispatcher(key?: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const events = new sdk.EventDispatcher({ logger: silent, ...(key === undefined ? {} : { encryptKey: key }) });
  events.register({ 'im.message.receive_v1': async ({ message }) => resolve(message.content) });
  return { events, content: promise };
}

test('the SDK reads our long connection, fragments and all', async () => {
  const { feishu, app, ann, chat } = await stage();
  const { events, content } = dispatcher();
  const client = new sdk.WSClient({ appId: app.appId, appSecret: app.secret, domain: feishu.url, logger: silent });
  closers.push(async () => client.close({ force: true }));
  await client.start({ eventDispatcher: events });
  feishu.people.say(ann, chat, '你好');
  assert.equal(await content, '{"text":"你好"}');
});

test('the SDK verifies and decrypts our webhooks', async () => {
  const { feishu, app, ann, chat } = await stage();
  const { events, content } = dispatcher(KEY);
  const server = createServer(sdk.adaptDefault('/', events, { autoChallenge: true }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await feishu.setWebhook(app, { url, encryptKey: KEY, verificationToken: 't' });
  feishu.people.say(ann, chat, 'by webhook');
  assert.equal(await content, '{"text":"by webhook"}');
});

test('the SDK’s typed calls work against our API', async () => {
  const { feishu, app, chat } = await stage();
  const client = new sdk.Client({
    appId: app.appId,
    appSecret: app.secret,
    domain: feishu.url,
    logger: silent,
    cache: new sdk.DefaultCache(),
  });
  const content = JSON.stringify({ text: 'hi' });
  const sent = await client.im.v1.message.create({
    params: { receive_id_type: 'chat_id' },
    data: { receive_id: chat.id, msg_type: 'text', content },
  });
  const id = sent.data?.message_id ?? assert.fail();
  const reply = await client.im.v1.message.reply({
    path: { message_id: id },
    data: { msg_type: 'text', content, reply_in_thread: true },
  });
  assert.match(reply.data?.thread_id ?? '', /^omt_/);
  const reaction = await client.im.v1.messageReaction.create({
    path: { message_id: id },
    data: { reaction_type: { emoji_type: 'Typing' } },
  });
  const gone = await client.im.v1.messageReaction.delete({
    path: { message_id: id, reaction_id: reaction.data?.reaction_id ?? '' },
  });
  assert.equal(gone.code, 0);
  const file = await client.im.v1.file.create({
    data: { file_type: 'stream', file_name: '中文.txt', file: Buffer.from('abc') },
  });
  assert.match(file?.file_key ?? '', /^file_v3_/);
  const got = await client.im.v1.message.get({ path: { message_id: id } });
  assert.equal(got.data?.items?.[0]?.body?.content, content);
});
