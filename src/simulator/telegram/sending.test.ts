import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Bot, type Chat, startTelegram, type TelegramSimulator, type User } from './index.ts';
import { type ApiCaller, caller, outcome } from './testing.ts';
import type { WireMessage } from './wire.ts';

describe('sending through the Bot API', () => {
  let telegram: TelegramSimulator;
  let bot: Bot & { readonly token: string };
  let ann: User;
  let chat: Chat;
  let call: ApiCaller;
  let now = 1_800_000_000_000;

  before(async () => {
    telegram = await startTelegram({ now: () => now });
    bot = telegram.addBot({ username: 'antler_bot' });
    ann = telegram.addUser({ firstName: 'Ann' });
    chat = telegram.openPrivateChat(ann, bot);
    call = caller(telegram.url, bot.token);
  });
  after(() => telegram.stop());

  const send = (text: string, more: object = {}) => call('sendMessage', { chat_id: chat.id, text, ...more });
  const sent = async (text: string, more: object = {}): Promise<WireMessage> =>
    (await send(text, more)).result as WireMessage;

  test('a wrong token is unauthorised, nonsense and unknown methods are not found', async () => {
    assert.deepEqual(await caller(telegram.url, '1:wrong')('getMe'), {
      ok: false,
      error_code: 401,
      description: 'Unauthorized',
    });
    assert.equal((await caller(telegram.url, 'nonsense')('getMe')).error_code, 404);
    assert.equal((await call('sendNothing')).error_code, 404);
    assert.equal(outcome(await call('getme')), 'ok');
  });

  test('text is limited to 4096 UTF-16 units after parsing', async () => {
    assert.equal(outcome(await send('𠮷'.repeat(2048))), 'ok');
    assert.equal(outcome(await send(`${'𠮷'.repeat(2048)}x`)), 'Bad Request: message is too long');
    assert.equal(outcome(await send(`<b>${'x'.repeat(4096)}</b>`, { parse_mode: 'HTML' })), 'ok');
    const { message_id } = await sent('short');
    const longer = { chat_id: chat.id, message_id, text: 'x'.repeat(4097) };
    assert.equal(outcome(await call('editMessageText', longer)), 'Bad Request: MESSAGE_TOO_LONG');
  });

  test('empty text is refused, white space counts as empty', async () => {
    for (const text of ['', ' \n ', '<b></b>'])
      assert.equal(outcome(await send(text, { parse_mode: 'HTML' })), 'Bad Request: message text is empty');
  });

  test('an edit must change something', async () => {
    const keyboard = { inline_keyboard: [[{ text: 'A', callback_data: 'a' }]] };
    const { message_id } = await sent('same', { reply_markup: keyboard });
    const edit = (more: object) => call('editMessageText', { chat_id: chat.id, message_id, ...more });
    assert.match(
      outcome(await edit({ text: 'same', reply_markup: keyboard })),
      /^Bad Request: message is not modified/,
    );
    assert.match(outcome(await edit({ text: ' same ', reply_markup: JSON.stringify(keyboard) })), /not modified/);
    assert.equal(outcome(await edit({ text: 'same' })), 'ok');
    assert.match(outcome(await edit({ text: '<i>same</i>', parse_mode: 'HTML' })), /^ok$/);
  });

  test('only what is there, and only its own, can a bot edit', async () => {
    const said = telegram.people.say(ann, chat, 'mine');
    const edit = (message_id: unknown) => call('editMessageText', { chat_id: chat.id, message_id, text: 'x' });
    assert.equal(outcome(await edit(999_999)), 'Bad Request: message to edit not found');
    assert.equal(outcome(await edit(said.id)), "Bad Request: message can't be edited");
    assert.equal(outcome(await edit(undefined)), 'Bad Request: message identifier is not specified');
    const { message_id } = await sent('gone soon');
    assert.equal(outcome(await call('deleteMessage', { chat_id: chat.id, message_id })), 'ok');
    assert.equal(outcome(await edit(message_id)), 'Bad Request: message to edit not found');
    assert.match(outcome(await call('deleteMessage', { chat_id: chat.id, message_id })), /message to delete not found/);
  });

  test('replies need their target, unless allowed to go without', async () => {
    const reply = (reply_parameters: object) => send('re', { reply_parameters });
    assert.equal(outcome(await reply({ message_id: 999_999 })), 'Bad Request: message to be replied not found');
    const lonely = await reply({ message_id: 999_999, allow_sending_without_reply: true });
    assert.equal((lonely.result as WireMessage).reply_to_message, undefined);
    const said = telegram.people.say(ann, chat, 'red or blue?');
    const quoting = await reply({ message_id: said.id, quote: 'blue' });
    assert.deepEqual((quoting.result as WireMessage).quote, { text: 'blue', position: 7, is_manual: true });
    assert.equal(outcome(await reply({ message_id: said.id, quote: 'green' })), 'Bad Request: QUOTE_TEXT_INVALID');
  });

  test('parameters may be strings, in a form or in the query', async () => {
    const form = new URLSearchParams({
      chat_id: String(chat.id),
      text: 'form',
      reply_markup: '{"inline_keyboard":[]}',
    });
    const posted = await fetch(`${telegram.url}/bot${bot.token}/sendMessage`, { method: 'POST', body: form });
    assert.equal(posted.status, 200);
    const got = await fetch(`${telegram.url}/bot${bot.token}/sendMessage?chat_id=${chat.id}&text=query`);
    assert.equal(got.status, 200);
    assert.deepEqual(
      telegram
        .visible(chat)
        .slice(-2)
        .map(({ content }) => content.text),
      ['form', 'query'],
    );
  });

  test('button data is limited to 64 bytes', async () => {
    const button = (callback_data: string) =>
      send('b', { reply_markup: { inline_keyboard: [[{ text: 'A', callback_data }]] } });
    assert.equal(outcome(await button('é'.repeat(32))), 'ok');
    assert.equal(outcome(await button('é'.repeat(33))), 'Bad Request: BUTTON_DATA_INVALID');
  });

  test('a press must be answered soon', async () => {
    const { message_id } = await sent('press', {
      reply_markup: { inline_keyboard: [[{ text: 'A', callback_data: 'a' }]] },
    });
    const message = await telegram.waitFor(chat, ({ id }) => id === message_id);
    const press = telegram.people.press(ann, message, 'a');
    now += 16_000;
    const late = await call('answerCallbackQuery', { callback_query_id: press.id });
    assert.equal(outcome(late), 'Bad Request: query is too old and response timeout expired or query ID is invalid');
    const again = telegram.people.press(ann, message, 'A');
    assert.equal(outcome(await call('answerCallbackQuery', { callback_query_id: again.id, text: 'ok' })), 'ok');
    assert.deepEqual(again.answer, { text: 'ok', alert: false });
  });

  test('chats that are unknown, blocked, left or moved refuse', async () => {
    const to = (chat_id: number | string) => call('sendMessage', { chat_id, text: 'x' });
    assert.equal(outcome(await to(4711)), 'Bad Request: chat not found');
    assert.equal(outcome(await to('')), 'Bad Request: chat_id is empty');
    telegram.people.block(chat);
    assert.equal(outcome(await to(chat.id)), 'Forbidden: bot was blocked by the user');
    telegram.people.unblock(chat);
    const group = telegram.addGroup({ title: 'G', kind: 'group', members: [ann, bot] });
    const moved = telegram.people.migrate(ann, group);
    const answer = await to(group.id);
    assert.match(outcome(answer), /upgraded to a supergroup/);
    assert.equal(answer.parameters?.migrate_to_chat_id, moved.id);
    assert.equal(outcome(await to(moved.id)), 'ok');
    telegram.people.leave(bot.user, moved, ann);
    assert.equal(outcome(await to(moved.id)), 'Forbidden: bot was kicked from the supergroup chat');
  });

  test('topics must exist and be open; General is not named', async () => {
    const forum = telegram.addGroup({ title: 'F', forum: true, members: [ann, bot] });
    const to = (message_thread_id?: number) => call('sendMessage', { chat_id: forum.id, text: 'x', message_thread_id });
    const topic = telegram.people.openTopic(ann, forum, 'Plans');
    const answer = (await to(topic.id)).result as WireMessage;
    assert.equal(answer.message_thread_id, topic.id);
    assert.equal(answer.is_topic_message, true);
    assert.equal(outcome(await to()), 'ok');
    for (const wrong of [1, 4711]) assert.equal(outcome(await to(wrong)), 'Bad Request: message thread not found');
    telegram.people.closeTopic(ann, forum, topic);
    assert.equal(outcome(await to(topic.id)), 'Bad Request: TOPIC_CLOSED');
    const plain = telegram.addGroup({ title: 'P', members: [ann, bot] });
    const threaded = await call('sendMessage', { chat_id: plain.id, text: 'x', message_thread_id: 5 });
    assert.equal(outcome(threaded), 'Bad Request: message thread not found');
  });

  test('files that are too big are not handed out', async () => {
    const media = telegram.media({ kind: 'document', name: '大.zip', size: 21 * 1024 * 1024 });
    telegram.people.say(ann, chat, '', { media });
    const { file_id } = media.fields.document as { file_id: string };
    assert.equal(outcome(await call('getFile', { file_id })), 'Bad Request: file is too big');
  });

  test('commands are kept by scope and language', async () => {
    const commands = [{ command: 'help', description: 'Help' }];
    assert.equal(outcome(await call('setMyCommands', { commands, language_code: 'zh' })), 'ok');
    assert.deepEqual((await call('getMyCommands', { language_code: 'zh' })).result, commands);
    assert.deepEqual((await call('getMyCommands')).result, []);
    const bad = await call('setMyCommands', { commands: [{ command: 'Help', description: 'x' }] });
    assert.equal(outcome(bad), 'Bad Request: BOT_COMMAND_INVALID');
  });

  test('a mention by number has effect for people who are known', async () => {
    const mention = (id: number) => [{ type: 'text_mention', offset: 0, length: 3, user: { id } }];
    const [known] = (await sent('Ann!', { entities: mention(ann.id) })).entities ?? [];
    assert.deepEqual([known?.type, known?.user?.first_name], ['text_mention', 'Ann']);
    assert.equal((await sent('Eve!', { entities: mention(1) })).entities, undefined);
    const linked = await sent(`<a href="tg://user?id=${ann.id}">Ann</a>!`, { parse_mode: 'HTML' });
    assert.equal(linked.entities?.[0]?.type, 'text_mention');
  });

  test('what is no picture, or one out of proportion, is no photo', async () => {
    const upload = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
      const form = new FormData();
      form.set('chat_id', String(chat.id));
      form.set('photo', new Blob([bytes]), 'photo.png');
      const response = await fetch(`${telegram.url}/bot${bot.token}/sendPhoto`, { method: 'POST', body: form });
      return outcome((await response.json()) as Parameters<typeof outcome>[0]);
    };
    const png = (width: number, height: number): Uint8Array<ArrayBuffer> => {
      const head = new DataView(new ArrayBuffer(24));
      head.setUint32(0, 0x89504e47);
      head.setUint32(16, width);
      head.setUint32(20, height);
      return new Uint8Array(head.buffer);
    };
    assert.equal(await upload(png(640, 480)), 'ok');
    assert.equal(await upload(png(9_000, 1_001)), 'Bad Request: PHOTO_INVALID_DIMENSIONS');
    assert.equal(await upload(png(1_001, 50)), 'Bad Request: PHOTO_INVALID_DIMENSIONS');
    assert.equal(await upload(new Uint8Array([1, 2, 3])), 'Bad Request: IMAGE_PROCESS_FAILED');
  });
});

test('flood control refuses with retry_after, a chat at a time', async () => {
  let now = 1_800_000_000_000;
  const telegram = await startTelegram({ now: () => now, flood: true });
  const bot = telegram.addBot({ username: 'antler_bot' });
  const ann = telegram.addUser({ firstName: 'Ann' });
  const chat = telegram.openPrivateChat(ann, bot);
  const group = telegram.addGroup({ title: 'G', members: [ann, bot] });
  const call = caller(telegram.url, bot.token);
  const send = (chat_id: number) => call('sendMessage', { chat_id, text: 'x' });
  try {
    for (let burst = 0; burst < 3; burst += 1) assert.equal(outcome(await send(chat.id)), 'ok');
    const refused = await send(chat.id);
    assert.equal(refused.error_code, 429);
    assert.equal(refused.description, 'Too Many Requests: retry after 3');
    assert.equal(refused.parameters?.retry_after, 3);
    assert.equal(outcome(await send(group.id)), 'ok');
    now += 3_000;
    assert.equal(outcome(await send(chat.id)), 'ok');
    for (let count = 1; count < 20; count += 1, now += 1_000) assert.equal(outcome(await send(group.id)), 'ok');
    assert.match(outcome(await send(group.id)), /retry after \d\d/);
  } finally {
    await telegram.stop();
  }
});
