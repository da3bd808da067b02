import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startAntler } from '../../app/antler.ts';
import { manifests } from '../../app/channels.ts';
import { silentLogger } from '../../base/logger.ts';
import { loadConfig } from '../../config/load.ts';
import { type Chat, type Message, startFeishu } from '../../simulator/feishu/index.ts';
import { startModel, text } from '../../simulator/model/index.ts';

const ENCRYPT_KEY = 'an-encrypt-key';
const VERIFICATION_TOKEN = 'a-verification-token';

/** A Feishu, a scripted model, two people, and an Antler between them. */
async function setStage(t: TestContext, transport: 'websocket' | 'webhook') {
  const [feishu, model] = await Promise.all([startFeishu({ limits: { retryMs: [200, 400, 800] } }), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([feishu.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const app = feishu.addApp({ name: 'Antler' });
  const ann = feishu.addUser('Ann');
  const bo = feishu.addUser('小波');
  const dm = feishu.openDirectChat(ann, app);
  const group = feishu.addGroup({ title: 'Team', users: [ann, bo], apps: [app] });
  const env = {
    FEISHU_APP_ID: app.appId,
    FEISHU_APP_SECRET: app.secret,
    FEISHU_DOMAIN: feishu.url,
    FEISHU_TRANSPORT: transport,
    FEISHU_ENCRYPT_KEY: ENCRYPT_KEY,
    FEISHU_VERIFICATION_TOKEN: VERIFICATION_TOKEN,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_MODEL: 'test-model',
    ANTLER_DATA_DIR: folder,
    ANTLER_PORT: '0',
  };
  const loaded = loadConfig({ env, manifests, cwd: folder });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.text).join('\n'));
  const antler = await startAntler({
    config: loaded.config,
    roles: { gateway: true, worker: true },
    log: silentLogger,
    secretKey: undefined,
  });
  t.after(() => antler.stop(1_000));
  const webhook = `${antler.url}/webhooks/feishu`;
  if (transport === 'webhook') {
    await feishu.setWebhook(app, { url: webhook, encryptKey: ENCRYPT_KEY, verificationToken: VERIFICATION_TOKEN });
  }
  /** What the bot has said in a chat, oldest first. */
  const said = (chat: Chat): string[] =>
    feishu
      .visible(chat)
      .filter(({ from }) => from === app)
      .map((message) => feishu.text(message));
  const ask = async (words: string, expected: RegExp, who = ann, chat = dm): Promise<Message> => {
    const question = feishu.people.say(who, chat, words);
    return feishu.waitFor(
      chat,
      (message) => message.from === app && message.at >= question.at && expected.test(feishu.text(message)),
      10_000,
    );
  };
  return { feishu, model, app, ann, bo, dm, group, webhook, said, ask };
}

for (const transport of ['websocket', 'webhook'] as const) {
  test(`${transport}: the bot answers, in a group only who calls it and as a reply`, async (t) => {
    const { feishu, model, ask, said, dm, group, ann, bo } = await setStage(t, transport);
    model.handle(() => text('Hello there!'));
    await ask('Hi', /^Hello there!$/);
    feishu.people.say(bo, group, 'who wants lunch?');
    const answer = await ask('@Antler and you?', /^Hello there!$/, ann, group);
    assert.equal(
      feishu.text(feishu.visible(group).find(({ id }) => id === answer.parentId) ?? answer),
      '@Antler and you?',
    );
    assert.deepEqual(said(dm), ['Hello there!']);
    assert.deepEqual(said(group), ['Hello there!']);
  });
}

test('a mention in a thread is answered in the thread', async (t) => {
  const { feishu, model, ask, group, ann, bo } = await setStage(t, 'websocket');
  model.handle(() => text('In here.'));
  const root = feishu.people.say(bo, group, 'plans?');
  const question = feishu.people.say(ann, group, '@Antler what do you think?', { replyTo: root, inThread: true });
  const answer = await feishu.waitFor(group, (message) => feishu.text(message) === 'In here.', 10_000);
  assert.equal(answer.threadId, question.threadId);
  assert.equal(answer.parentId, question.id);
  await ask('@Antler and outside?', /^In here\.$/, ann, group);
});

test('a long answer streams in one card, which ends complete and closed', async (t) => {
  const { model, ask, said, dm } = await setStage(t, 'websocket');
  const pieces = Array.from({ length: 30 }, (_, i) => ({ kind: 'text' as const, text: `word${i} `, delayMs: 100 }));
  model.script({ parts: pieces });
  const whole = pieces
    .map((piece) => piece.text)
    .join('')
    .trim();
  const answer = await ask('Tell me a lot', /word29/);
  assert.ok(answer.history.length >= 3, `it was shown in ${answer.history.length} stands`);
  assert.deepEqual(said(dm), [whole]);
  const deadline = Date.now() + 5_000;
  while (answer.card?.streamingSince !== undefined && Date.now() < deadline)
    await new Promise((r) => setTimeout(r, 20));
  assert.equal(answer.card?.streamingSince, undefined);
  assert.deepEqual(answer.reactions, []);
});

test('an event that Feishu delivers again is answered once', async (t) => {
  const { feishu, model, ask, said, dm } = await setStage(t, 'websocket');
  model.handle(() => text('once'));
  await ask('hello', /once/);
  const push = feishu.pushes.find(({ type }) => type === 'im.message.receive_v1');
  assert.ok(push !== undefined);
  feishu.redeliver(push);
  feishu.redeliver(push);
  model.handle(() => text('second'));
  await ask('next', /second/);
  assert.deepEqual(said(dm), ['once', 'second']);
});

test('a send whose answer was lost is repeated under its uuid and said once', async (t) => {
  const { feishu, model, ask, said, dm } = await setStage(t, 'websocket');
  model.handle(() => text('only once'));
  feishu.faults.plan('POST /im/v1/messages', { kind: 'drop', processed: true });
  await ask('hello', /only once/);
  await feishu.calls.waitFor('POST /im/v1/messages', 2, 15_000);
  assert.deepEqual(said(dm), ['only once']);
});

test('a forged webhook is refused and answered by nobody', async (t) => {
  const { feishu, model, webhook, said, dm } = await setStage(t, 'webhook');
  model.handle(() => text('never'));
  const forged = JSON.stringify({
    schema: '2.0',
    header: { event_id: 'e', event_type: 'im.message.receive_v1', token: 'x' },
  });
  const response = await fetch(webhook, { method: 'POST', body: forged });
  assert.equal(response.status, 401);
  assert.deepEqual(said(dm), []);
  assert.equal(feishu.calls.list('POST /im/v1/messages').length, 0);
});
