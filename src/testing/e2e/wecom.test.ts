import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startModel, text, tools } from '../../simulator/model/index.ts';
import { type App, type Bot, type Chat, type Message, startWecom } from '../../simulator/wecom/index.ts';
import { postgresForTests, startRedis } from '../services.ts';
import { configFor, environmentFor, startHere } from './antler.ts';

type Transport = 'websocket' | 'callback' | 'app';

interface StageOptions {
  /** Processes that run Antler, on one Redis and one PostgreSQL when there are several. */
  readonly replicas?: number;
}

/** A WeCom, a scripted model, two people, and one or more Antlers between them. */
async function setStage(t: TestContext, transport: Transport, { replicas = 1 }: StageOptions = {}) {
  const limits = { retryMs: [200, 400, 800], pollMs: 50 };
  const [wecom, model] = await Promise.all([startWecom({ limits }), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([wecom.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const one: Bot | App = transport === 'app' ? wecom.addApp('Antler') : wecom.addBot('Antler');
  const ann = wecom.addPerson('Ann', 'ann');
  const dm = wecom.openDirectChat(ann, one);
  const env = {
    ...(one.kind === 'app'
      ? { WECOM_CORP_ID: one.corpId, WECOM_AGENT_ID: one.agentId, WECOM_CORP_SECRET: one.secret }
      : {}),
    ...(one.kind === 'bot' && transport === 'websocket' ? { WECOM_BOT_ID: one.id, WECOM_BOT_SECRET: one.secret } : {}),
    ...(transport === 'websocket' ? {} : { WECOM_TOKEN: one.token, WECOM_ENCODING_AES_KEY: one.aesKey }),
    WECOM_API_ROOT: wecom.url,
    WECOM_WS_URL: wecom.wsUrl,
    ...environmentFor(model, folder),
    ...(replicas > 1 ? await servers(t) : {}),
  };
  const antlers = [];
  for (let n = 0; n < replicas; n++) {
    const config = configFor({ ...env, ANTLER_DATA_DIR: join(folder, String(n)) }, folder);
    antlers.push(await startHere(t, config));
  }
  const webhooks = antlers.map(({ url }) => `${url}/webhooks/wecom`);
  if (transport !== 'websocket') await wecom.register(one, webhooks[0] ?? '');
  /** What the bot has said in a chat, oldest first. */
  const said = (chat: Chat): string[] =>
    wecom.visible(chat).flatMap((message) => (message.fromBot ? [message.text] : []));
  return {
    ...{ wecom, model, one, ann, dm, webhooks, antlers, said },
    ask: (question: string, expected: RegExp): Promise<Message> => {
      const before = new Set(dm.messages);
      wecom.people.say(ann, dm, question);
      const isAnswer = (message: Message): boolean =>
        !before.has(message) && message.fromBot && expected.test(message.text) && message.stream?.finished !== false;
      return wecom.waitFor(dm, isAnswer, 10_000);
    },
  };
}

async function servers(t: TestContext): Promise<Record<string, string>> {
  const [redis, postgres] = await Promise.all([startRedis(), postgresForTests()]);
  t.after(() => Promise.all([redis.stop(), postgres.stop()]));
  return { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
}

for (const transport of ['websocket', 'callback', 'app'] as const) {
  test(`${transport}: the bot answers, and remembers the conversation`, async (t) => {
    const { model, ask, said, dm } = await setStage(t, transport);
    model.script(text('Hello ', 'Ann!'), text('Your name is Ann.'));
    await ask('Hi, I am Ann', /^Hello Ann!$/);
    await ask('What is my name?', /^Your name is Ann\.$/);
    assert.match(JSON.stringify(model.requests[1]?.body), /Hi, I am Ann/);
    assert.deepEqual(said(dm), ['Hello Ann!', 'Your name is Ann.']);
  });

  test(`${transport}: what WeCom delivers twice is answered once`, async (t) => {
    const { wecom, model, ask, said, dm } = await setStage(t, transport);
    model.handle(() => text('once'));
    await ask('hello', /once/);
    const [first] = wecom.pushes;
    assert.ok(first !== undefined);
    wecom.redeliver(first);
    model.handle(() => text('second'));
    await ask('next', /second/);
    assert.deepEqual(said(dm), ['once', 'second']);
    assert.equal(model.requests.length, 2);
  });

  test(`${transport}: who opens the chat for the first time is greeted, and only then`, async (t) => {
    const { wecom, ann, dm, said } = await setStage(t, transport);
    wecom.people.enter(ann, dm);
    await wecom.waitFor(dm, ({ fromBot, text: shown }) => fromBot && /Hello!/.test(shown), 10_000);
    wecom.people.enter(ann, dm);
    wecom.people.say(ann, dm, '/help');
    await wecom.waitFor(dm, ({ fromBot, text: shown }) => fromBot && /\/new/.test(shown), 10_000);
    assert.equal(said(dm).filter((shown) => /Hello!/.test(shown)).length, 1);
  });
}

for (const transport of ['websocket', 'callback'] as const) {
  test(`${transport}: a long answer is seen growing, and ends complete, in one message`, async (t) => {
    const { model, ask, said, dm } = await setStage(t, transport);
    const pieces = Array.from({ length: 30 }, (_, i) => ({ kind: 'text' as const, text: `word${i} `, delayMs: 100 }));
    model.script({ parts: pieces });
    const answer = await ask('Tell me a lot', /word29/);
    assert.ok(answer.history.length >= 3, `it was shown in ${answer.history.length} stands`);
    assert.equal(said(dm).length, 1);
    assert.match(said(dm)[0] ?? '', /^word0 .* word29$/);
  });

  test(`${transport}: in a group the bot answers what mentions it`, async (t) => {
    const { wecom, model, one, ann } = await setStage(t, transport);
    assert.ok(one.kind === 'bot');
    const group = wecom.addGroup({ title: 'Team', people: [ann], bot: one });
    model.handle(() => text('It is noon.'));
    wecom.people.say(ann, group, 'who wants lunch?');
    wecom.people.say(ann, group, '@Antler what time is it');
    await wecom.waitFor(group, ({ fromBot, text: shown }) => fromBot && shown === 'It is noon.', 10_000);
    assert.equal(model.requests.length, 1);
    assert.doesNotMatch(JSON.stringify(model.requests[0]?.body), /@Antler what/);
  });
}

for (const transport of ['websocket', 'app'] as const) {
  test(`${transport}: a file that somebody sends is read, and one that the bot makes arrives`, async (t) => {
    const { wecom, model, ask, ann, dm } = await setStage(t, transport);
    model.handle(() => text('Thank you.'));
    wecom.people.send(ann, dm, { kind: 'file', name: '周报.txt', content: Buffer.from('sales are up') });
    await wecom.waitFor(dm, ({ fromBot, text: shown }) => fromBot && shown === 'Thank you.', 10_000);
    const steps = [
      tools(['read_file', { file: '周报.txt' }]),
      tools(['send_file', { name: 'summary.md', content: '# Up it goes' }]),
      text('Here it is.'),
    ];
    const requests: string[] = [];
    model.handle((request) => {
      requests.push(JSON.stringify(request.messages));
      return steps.shift();
    });
    await ask('Summarise 周报.txt', /^Here it is\.$/);
    assert.match(requests[1] ?? '', /sales are up/);
    const { file } = await wecom.waitFor(dm, (message) => message.fromBot && message.file !== undefined, 10_000);
    assert.deepEqual([file?.name, Buffer.from(file?.content ?? []).toString()], ['summary.md', '# Up it goes']);
  });
}

test('two processes: only the one with the connection sends, and the other takes over when it stops', async (t) => {
  const { wecom, model, ask, said, dm, antlers } = await setStage(t, 'websocket', { replicas: 2 });
  model.handle((request) => text(`answer ${request.messages.filter(({ role }) => role === 'user').length}`));
  for (const [n, question] of ['one', 'two', 'three'].entries()) await ask(question, new RegExp(`^answer ${n + 1}$`));
  assert.equal(wecom.calls.list('aibot_subscribe').length, 1);
  await antlers[0]?.stop(1_000);
  await ask('four', /^answer 4$/);
  assert.deepEqual(said(dm), ['answer 1', 'answer 2', 'answer 3', 'answer 4']);
});

test('two processes: an answer is fetched from the one that did not give it', async (t) => {
  const { model, one, ask, said, dm, webhooks } = await setStage(t, 'callback', { replicas: 2 });
  model.handle(() => text('from either'));
  for (const [n, url] of [...webhooks, ...webhooks].entries()) {
    one.url = url;
    const answered = ask(`question ${n}`, /^from either$/);
    // What comes next, among it the question how the answer stands, goes to the other.
    setTimeout(() => {
      one.url = webhooks[(n + 1) % webhooks.length] ?? url;
    }, 20);
    await answered;
  }
  assert.deepEqual(
    said(dm),
    Array.from({ length: 4 }, () => 'from either'),
  );
});

test('whatever becomes of single commands, each question is answered completely and in one message', async (t) => {
  const { wecom, model, one } = await setStage(t, 'websocket');
  assert.ok(one.kind === 'bot');
  const pieces = ['one ', 'two ', 'three ', 'four ', 'done'];
  model.handle(() => ({ parts: pieces.map((piece) => ({ kind: 'text' as const, text: piece, delayMs: 200 })) }));
  for (const fault of [
    { kind: 'drop', processed: true },
    { kind: 'drop', processed: false },
    { kind: 'refuse', errcode: -1 },
  ] as const)
    wecom.faults.plan('aibot_respond_msg', fault, 2);
  const chats = Array.from({ length: 6 }, (_, n) => {
    const person = wecom.addPerson(`P${n}`);
    const chat = wecom.openDirectChat(person, one);
    wecom.people.say(person, chat, 'count');
    return chat;
  });
  const whole = pieces.join('');
  for (const chat of chats)
    await wecom.waitFor(chat, ({ text: shown, stream }) => shown === whole && stream?.finished !== false, 20_000);
  const shown = chats.map((chat) =>
    wecom
      .visible(chat)
      .filter(({ fromBot }) => fromBot)
      .map(({ text: said }) => said),
  );
  assert.deepEqual(
    shown,
    chats.map(() => [whole]),
  );
});

test('an app’s send whose answer was lost is repeated and seen once', async (t) => {
  const { wecom, model, ask, said, dm } = await setStage(t, 'app');
  model.handle(() => text('only once'));
  wecom.faults.plan('message/send', { kind: 'drop', processed: true });
  await ask('hello', /only once/);
  await wecom.calls.waitFor('message/send', 2, 15_000);
  assert.deepEqual(said(dm), ['only once']);
});

test('a forged callback is refused and answered by nobody', async (t) => {
  const { model, webhooks, said, dm } = await setStage(t, 'app');
  model.handle(() => text('never'));
  const body = '<xml><FromUserName>ann</FromUserName><MsgType>text</MsgType><Content>hi</Content></xml>';
  const response = await fetch(webhooks[0] ?? '', { method: 'POST', body });
  assert.equal(response.status, 401);
  assert.deepEqual(said(dm), []);
});
