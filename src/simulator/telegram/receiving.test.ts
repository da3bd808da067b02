import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type Bot, type Chat, startTelegram, type TelegramSimulator, type User } from './index.ts';
import { type ApiCaller, caller, outcome } from './testing.ts';
import type { WireMessage, WireUpdate } from './wire.ts';

type Update = WireUpdate & { readonly message?: WireMessage; readonly edited_message?: WireMessage };

describe('receiving through the Bot API', () => {
  let telegram: TelegramSimulator;
  let bot: Bot & { readonly token: string };
  let ann: User;
  let chat: Chat;
  let call: ApiCaller;

  beforeEach(async () => {
    telegram = await startTelegram({ limits: { webhookRetryMs: 5 } });
    bot = telegram.addBot({ username: 'antler_bot' });
    ann = telegram.addUser({ firstName: 'Ann', username: 'ann', language: 'en' });
    chat = telegram.openPrivateChat(ann, bot);
    call = caller(telegram.url, bot.token);
  });
  afterEach(() => telegram.stop());

  const poll = async (params: object = {}): Promise<readonly Update[]> =>
    (await call('getUpdates', params)).result as readonly Update[];
  const texts = (updates: readonly Update[]): (string | undefined)[] => updates.map(({ message }) => message?.text);

  test('updates come again until an offset above them confirms them', async () => {
    for (const text of ['a', 'b', 'c']) telegram.people.say(ann, chat, text);
    const [first] = await poll({ limit: 1 });
    assert.deepEqual(texts(await poll()), ['a', 'b', 'c']);
    assert.deepEqual(texts(await poll({ offset: (first?.update_id ?? 0) + 1 })), ['b', 'c']);
    assert.deepEqual(texts(await poll({ offset: -1 })), ['c']);
    assert.deepEqual(texts(await poll()), ['c']);
  });

  test('a long poll ends with the first message, or empty in time', async () => {
    const waiting = poll({ timeout: 50 });
    telegram.people.say(ann, chat, 'now');
    assert.deepEqual(texts(await waiting), ['now']);
    const [update] = await poll();
    assert.deepEqual(await poll({ timeout: 0.02, offset: (update?.update_id ?? 0) + 1 }), []);
  });

  test('a second poller ends the first one with 409', async () => {
    const first = call('getUpdates', { timeout: 50 });
    await telegram.calls.waitFor('getUpdates', 1);
    const second = call('getUpdates', { timeout: 50 });
    assert.match(outcome(await first), /^Conflict: terminated by other getUpdates request/);
    telegram.people.say(ann, chat, 'for the second');
    assert.equal((await second).ok, true);
  });

  test('only wanted kinds come; reactions must be asked for', async () => {
    telegram.people.react(ann, telegram.people.say(ann, chat, 'x'), '👍');
    assert.deepEqual(
      (await poll()).map((update) => Object.keys(update)[1]),
      ['message'],
    );
    await poll({ offset: -1, allowed_updates: ['message_reaction'] });
    telegram.people.react(ann, telegram.people.say(ann, chat, 'y'), '👍');
    // A list that is not sent stays as it was.
    assert.deepEqual(
      (await poll()).map((update) => Object.keys(update)[1]),
      ['message', 'message_reaction'],
    );
  });

  test('an edit comes as edited_message, a deletion not at all', async () => {
    const said = telegram.people.say(ann, chat, 'helo');
    telegram.people.edit(said, 'hello');
    telegram.people.delete(said);
    const updates = await poll();
    assert.equal(updates.length, 2);
    assert.equal(updates[1]?.edited_message?.text, 'hello');
    assert.equal(updates[1]?.edited_message?.message_id, updates[0]?.message?.message_id);
  });

  test('an update can be delivered twice, and several out of order', async () => {
    telegram.people.say(ann, chat, 'a');
    const [first] = await poll();
    const offset = (first?.update_id ?? 0) + 1;
    await poll({ offset });
    bot.updates.redeliver();
    assert.deepEqual(await poll({ offset }), [first]);
    assert.deepEqual(await poll({ offset }), []);
    bot.updates.hold();
    for (const text of ['b', 'c']) telegram.people.say(ann, chat, text);
    assert.deepEqual(await poll({ offset }), []);
    bot.updates.release((held) => held.toReversed());
    assert.deepEqual(texts(await poll({ offset })), ['c', 'b']);
  });

  test('in a topic every message replies to what opened it; in a plain supergroup replies share a thread id', async () => {
    const forum = telegram.addGroup({ title: 'F', forum: true, members: [ann, bot] });
    telegram.people.promote(bot.user, forum, ann);
    const topic = telegram.people.openTopic(ann, forum, 'Plans');
    telegram.people.say(ann, forum, 'in topic', { topic });
    const plain = telegram.addGroup({ title: 'P', members: [ann, bot] });
    telegram.people.promote(bot.user, plain, ann);
    const root = telegram.people.say(ann, plain, 'root');
    telegram.people.say(ann, plain, 'child', { replyTo: root });
    const messages = (await poll()).flatMap(({ message }) => (message === undefined ? [] : [message]));
    const inTopic = messages.find(({ text }) => text === 'in topic');
    assert.equal(inTopic?.is_topic_message, true);
    assert.ok(inTopic?.reply_to_message?.forum_topic_created);
    const child = messages.find(({ text }) => text === 'child');
    assert.equal(child?.message_thread_id, root.id);
    assert.equal(child?.is_topic_message, undefined);
  });

  test('with privacy mode a bot hears in groups only what concerns it', async () => {
    const other = telegram.addBot({ username: 'other_bot' });
    const group = telegram.addGroup({ title: 'G', members: [ann, bot, other] });
    const { people } = telegram;
    await call('sendMessage', { chat_id: group.id, text: 'I am here' });
    const [mine] = telegram.visible(group);
    assert.ok(mine);
    people.say(ann, group, 'just talking');
    people.say(ann, group, '👨‍👩‍👧‍👦𠮷 @Antler_Bot hi');
    people.say(ann, group, '@antler_botx hi');
    people.say(ann, group, '/help@other_bot');
    people.say(ann, group, '/help@ANTLER_bot');
    people.say(ann, group, '/help');
    people.say(ann, group, 'antler_bot, look', { mention: [bot.user] });
    people.say(ann, group, 'and this?', { replyTo: mine });
    assert.deepEqual(texts(await poll()), [
      '👨‍👩‍👧‍👦𠮷 @Antler_Bot hi',
      '/help@ANTLER_bot',
      '/help',
      'antler_bot, look',
      'and this?',
    ]);
  });

  test('migration is told in both chats', async () => {
    const group = telegram.addGroup({ title: 'G', kind: 'group', members: [ann, bot] });
    const moved = telegram.people.migrate(ann, group);
    const messages = (await poll()).map(({ message }) => message);
    assert.equal(messages[0]?.migrate_to_chat_id, moved.id);
    assert.equal(messages[1]?.migrate_from_chat_id, group.id);
  });

  describe('by webhook', () => {
    const received: { readonly secret: unknown; readonly update: Update }[] = [];
    const answers: { readonly status: number; readonly body?: object }[] = [];
    let resolve = (): void => {};
    let url = '';
    const hook = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { status, body } = answers.shift() ?? { status: 200 };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
      received.push({
        secret: request.headers['x-telegram-bot-api-secret-token'],
        update: JSON.parse(Buffer.concat(chunks).toString()) as Update,
      });
      resolve();
    });

    before(async () => {
      const { promise, resolve: listening } = Promise.withResolvers<void>();
      hook.listen(0, '127.0.0.1', listening);
      await promise;
      const address = hook.address();
      url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
    });
    after(() => {
      hook.close();
      hook.closeAllConnections();
    });

    const receive = async (count: number): Promise<void> => {
      while (received.length < count)
        await new Promise<void>((done) => {
          resolve = done;
        });
    };

    test('updates carry the secret, and come again until they are answered with 2xx', async () => {
      received.length = 0;
      answers.push({ status: 500 }, { status: 403 });
      await call('setWebhook', { url, secret_token: 's-1' });
      assert.match(outcome(await call('getUpdates')), /^Conflict: can't use getUpdates method while webhook is active/);
      telegram.people.say(ann, chat, 'hook');
      await receive(3);
      assert.deepEqual(
        received.map(({ secret, update }) => [secret, update.message?.text]),
        Array(3).fill(['s-1', 'hook']),
      );
      assert.equal(new Set(received.map(({ update }) => update.update_id)).size, 1);
      await call('deleteWebhook');
      assert.deepEqual(await poll(), []);
    });

    test('what is said in one chat comes one after the other, in order even when it is refused, and beside other chats', async () => {
      received.length = 0;
      const other = telegram.openPrivateChat(telegram.addUser({ firstName: 'Bo' }), bot);
      answers.push({ status: 500 });
      await call('setWebhook', { url });
      for (const text of ['one', 'two', 'three']) telegram.people.say(ann, chat, text);
      const { person } = other;
      assert.ok(person !== undefined);
      telegram.people.say(person, other, 'elsewhere');
      await receive(5);
      const texts = received.map(({ update }) => update.message?.text ?? '');
      assert.deepEqual(
        texts.filter((text) => text !== 'elsewhere'),
        ['one', 'one', 'two', 'three'],
      );
      await call('deleteWebhook');
    });

    test('the answer may be a method call', async () => {
      answers.push({ status: 200, body: { method: 'sendMessage', chat_id: chat.id, text: 'by answer' } });
      await call('setWebhook', { url });
      telegram.people.say(ann, chat, 'hook');
      await telegram.waitFor(chat, ({ content }) => content.text === 'by answer');
    });
  });
});
