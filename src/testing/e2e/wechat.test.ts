import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Antler } from '../../app/antler.ts';
import { startModel, text } from '../../simulator/model/index.ts';
import { type Bot, startIlink } from '../../simulator/wechat/ilink/index.ts';
import { postgresForTests, startRedis } from '../services.ts';
import { configFor, environmentFor, startHere } from './antler.ts';
import { startProcess } from './process.ts';

/** A WeChat, a scripted model and two people; Antler itself is started by the test. */
async function setStage(t: TestContext) {
  const [wechat, model] = await Promise.all([startIlink(), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([wechat.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const ann = wechat.addPerson('Ann');
  const bo = wechat.addPerson('小波');
  const env: Record<string, string> = {
    WECHAT_TRANSPORT: 'ilink',
    WECHAT_API_ROOT: wechat.url,
    WECHAT_CDN_ROOT: wechat.cdnUrl,
    ...environmentFor(model, folder),
  };
  /** What the bot has said to somebody, oldest first. */
  const said = (bot: Bot, who = ann): string[] =>
    wechat.chatOf(who, bot).messages.flatMap((message) => (message.fromBot ? [message.text] : []));
  /** Says something and waits for what the bot says next. */
  const ask = async (bot: Bot, words: string, expected: RegExp, who = ann): Promise<void> => {
    const chat = wechat.chatOf(who, bot);
    const before = chat.messages.length;
    wechat.people.say(who, bot, words);
    await wechat.waitFor(
      chat,
      (message) => chat.messages.indexOf(message) >= before && message.fromBot && expected.test(message.text),
      15_000,
    );
  };
  return { wechat, model, folder, env, ann, bo, said, ask };
}

type Stage = Awaited<ReturnType<typeof setStage>>;

/** Antler in this process, stopped after the test. */
function playAntler(t: TestContext, { env, folder }: Stage, roles = { gateway: true, worker: true }): Promise<Antler> {
  return startHere(t, configFor(env, folder), { roles, secretKey: env.ANTLER_SECRET_KEY });
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within 15 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const pageOf = async (antler: { readonly url: string | null }): Promise<string> =>
  (await fetch(`${antler.url}/channels/wechat/login`, { headers: { accept: 'text/html' } })).text();

test('one variable, one scan: the terminal and the page show the code, and then the bot answers', async (t) => {
  const stage = await setStage(t);
  const { wechat, model, ann, ask, said } = stage;
  model.script(text('**Hello** Ann!'), text('Your name is Ann.'));
  const antler = await startProcess(t, stage, 'start');
  const code = await wechat.logins.code();
  await until('the code is drawn', () => /[█▀▄]{10}/.test(antler.output()));
  assert.match(antler.output(), /wechat: Scan the code with WeChat on your phone/);
  const page = await pageOf(antler);
  assert.match(page, /<svg[^>]*>/);
  assert.match(page, /data-state="login"/);
  const overview = await fetch(`${antler.url}/api/v1/operations`);
  const { channels } = (await overview.json()) as { channels: { name: string; connection: object }[] };
  assert.deepEqual(channels.find(({ name }) => name === 'wechat')?.connection, {
    state: 'login',
    qr: code.content,
    hint: 'Scan the code with WeChat on your phone and confirm there; it is valid for five minutes.',
  });
  const bot = wechat.logins.confirm(code, ann);
  await until('it says so', () => antler.output().includes('wechat: logged in.'));
  await ask(bot, 'Hi, I am Ann', /^Hello Ann!$/);
  await ask(bot, 'What is my name?', /^Your name is Ann\.$/);
  assert.match(JSON.stringify(model.requests[1]?.body), /Hi, I am Ann/);
  assert.deepEqual(said(bot), ['Hello Ann!', 'Your name is Ann.']);
  assert.match(await pageOf(antler), /data-state="connected"[\s\S]*<div id="picture"><\/div>/);
  assert.ok(!antler.output().includes(bot.token));

  await antler.kill('SIGKILL');
  model.script(text('Still here.'));
  wechat.people.say(ann, bot, 'And after a crash?');
  await startProcess(t, stage, 'start');
  await wechat.waitFor(wechat.chatOf(ann, bot), (message) => message.fromBot && message.text === 'Still here.', 15_000);
  assert.equal(wechat.logins.codes.length, 1, 'the login was kept');
});

test('two people are two conversations, a message that comes twice is answered once, quotes are understood', async (t) => {
  const stage = await setStage(t);
  const { wechat, model, ann, bo, ask, said } = stage;
  await playAntler(t, stage);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  model.handle((request) => text(`heard ${request.messages.filter(({ role }) => role === 'user').length}`));
  await ask(bot, 'one', /^heard 1$/);
  await ask(bot, 'eins', /^heard 1$/, bo);
  wechat.people.redeliver(bot);
  await ask(bot, 'two', /^heard 2$/);
  const [first] = wechat.chatOf(ann, bot).messages.filter(({ fromBot }) => fromBot);
  assert.ok(first !== undefined);
  wechat.people.say(ann, bot, 'what did you mean?', { quoting: first });
  await wechat.waitFor(wechat.chatOf(ann, bot), ({ text: words }) => words === 'heard 3', 10_000);
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /heard 1/);
  assert.deepEqual([said(bot), said(bot, bo)], [['heard 1', 'heard 2', 'heard 3'], ['heard 1']]);
  await ask(bot, '/help', /\/new/);
});

test('WeChat tells nobody’s name: neither the model nor the bot calls anybody by an id', async (t) => {
  const stage = await setStage(t);
  const { wechat, model, ann, ask } = stage;
  await playAntler(t, stage);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  model.handle(() => text('hello'));
  await ask(bot, 'hi', /hello/);
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /You answer: a person of unknown name, id wechat/);
  await ask(bot, '/whoami', /^Your id is \S+ on wechat; I know no name\. To me you are a member\.$/);
});

test('a login that WeChat ends in the middle: the answer waits for the next scan and comes then', async (t) => {
  const stage = await setStage(t);
  const { wechat, model, ann, ask, said } = stage;
  await playAntler(t, stage);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  model.handle(() => text('the answer'));
  await ask(bot, 'first', /the answer/);
  wechat.endLogin(bot);
  const code = await wechat.logins.code('wait', 2);
  wechat.people.say(ann, bot, 'second');
  wechat.logins.confirm(code, ann);
  await until('it was answered', () => said(bot).length === 2);
});

test('an answer that WeChat does not take is kept and comes as soon as the person has written again', async (t) => {
  const stage = await setStage(t);
  const { wechat, model, ann, ask, said } = stage;
  await playAntler(t, stage);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  model.handle((request) => text(`answer to ${/question (\d)/.exec(String(request.messages.at(-1)?.content))?.[1]}`));
  await ask(bot, 'question 1', /answer to 1/);
  wechat.faults.plan('sendmessage', { kind: 'refuse', ret: -2 });
  wechat.people.say(ann, bot, 'question 2');
  await wechat.calls.waitFor('sendmessage', 2, 10_000);
  assert.deepEqual(said(bot), ['answer to 1']);
  await ask(bot, 'question 3', /answer to 2/);
  await until('both were answered', () => said(bot).length === 3);
  assert.deepEqual(said(bot), ['answer to 1', 'answer to 2', 'answer to 3']);
  assert.equal(wechat.calls.list('sendmessage').length, 4, 'and WeChat was not pestered meanwhile');
});

test('two gateways: either shows the code and takes the number, the one that holds the connection logs in', async (t) => {
  const stage = await setStage(t);
  const { wechat, model, ann, ask, env } = stage;
  const [redis, postgres] = await Promise.all([startRedis(), postgresForTests()]);
  t.after(() => Promise.all([redis.stop(), postgres.stop()]));
  Object.assign(env, { REDIS_URL: redis.url, DATABASE_URL: postgres.url, ANTLER_SECRET_KEY: '0a'.repeat(32) });
  model.handle(() => text('hello'));
  const replicas = [await playAntler(t, stage), await playAntler(t, stage, { gateway: true, worker: false })];
  const code = await wechat.logins.code();
  for (const replica of replicas)
    await until('the page shows the code', async () => /data-state="login"/.test(await pageOf(replica)));
  wechat.logins.askForNumber(code, ann, '4711');
  for (const replica of replicas)
    await until('the page asks for the number', async () => /data-code="wanted"/.test(await pageOf(replica)));
  for (const [index, replica] of replicas.entries()) {
    const response = await fetch(`${replica.url}/api/v1/operations/channels/wechat/login-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: index === 0 ? '1111' : '4711' }),
    });
    assert.equal(response.status, 200);
    await until(
      'it was tried',
      () => wechat.calls.list('get_qrcode_status').filter(({ query }) => 'verify_code' in query).length > index,
    );
  }
  await wechat.logins.code('confirmed');
  const [bot] = wechat.bots;
  assert.ok(bot !== undefined);
  await ask(bot, 'hi', /hello/);
  assert.equal(wechat.logins.codes.length, 1);
});
