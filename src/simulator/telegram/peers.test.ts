import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bot as GrammyBot, InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy';
import { Markup, Telegraf } from 'telegraf';
import { message } from 'telegraf/filters';
import { type Chat, startTelegram, type TelegramSimulator, type User } from './index.ts';

/** What a client library must be able to do here, whichever it is. */
interface Peer {
  /** Starts a bot that answers `/start`, echoes text with a button, and edits the echo when it is pressed. */
  start(root: string, token: string): Promise<() => Promise<void>>;
  /** Uploads two files as an album with one caption. */
  album(root: string, token: string, chat: number): Promise<void>;
  /** Uploads a file as a document. */
  upload(root: string, token: string, chat: number): Promise<void>;
}

const telegraf: Peer = {
  start: async (root, token) => {
    const bot = new Telegraf(token, { telegram: { apiRoot: root } });
    bot.start((ctx) => ctx.replyWithHTML(`<b>Welcome</b> ${ctx.payload}`));
    bot.on(message('text'), (ctx) =>
      ctx.reply(`echo ${ctx.message.text}`, {
        ...Markup.inlineKeyboard([Markup.button.callback('Again', 'again')]),
        reply_parameters: { message_id: ctx.message.message_id },
      }),
    );
    bot.action('again', async (ctx) => {
      await ctx.answerCbQuery('done');
      await ctx.editMessageText('edited');
    });
    const running = bot.launch();
    running.catch(() => {});
    return async () => {
      bot.stop();
      await running;
    };
  },
  album: async (root, token, chat) => {
    const { telegram } = new Telegraf(token, { telegram: { apiRoot: root } });
    await telegram.sendMediaGroup(chat, [
      { type: 'document', media: { source: Buffer.from('1'), filename: '1.txt' }, caption: 'both' },
      { type: 'document', media: { source: Buffer.from('2'), filename: '2.txt' } },
    ]);
  },
  upload: async (root, token, chat) => {
    const { telegram } = new Telegraf(token, { telegram: { apiRoot: root } });
    await telegram.sendDocument(chat, { source: Buffer.from('内容'), filename: '报告.txt' }, { caption: 'file' });
  },
};

const grammy: Peer = {
  start: async (root, token) => {
    const bot = new GrammyBot(token, { client: { apiRoot: root } });
    bot.command('start', (ctx) => ctx.reply(`<b>Welcome</b> ${ctx.match}`, { parse_mode: 'HTML' }));
    bot.on('message:text', (ctx) =>
      ctx.reply(`echo ${ctx.message.text}`, {
        reply_markup: new InlineKeyboard().text('Again', 'again'),
        reply_parameters: { message_id: ctx.message.message_id },
      }),
    );
    bot.callbackQuery('again', async (ctx) => {
      await ctx.answerCallbackQuery('done');
      await ctx.editMessageText('edited');
    });
    const running = bot.start();
    return async () => {
      await bot.stop();
      await running;
    };
  },
  album: async (root, token, chat) => {
    const { api } = new GrammyBot(token, { client: { apiRoot: root } });
    const item = (text: string) => new InputFile(Buffer.from(text), `${text}.txt`);
    await api.sendMediaGroup(chat, [
      InputMediaBuilder.document(item('1'), { caption: 'both' }),
      InputMediaBuilder.document(item('2')),
    ]);
  },
  upload: async (root, token, chat) => {
    const { api } = new GrammyBot(token, { client: { apiRoot: root } });
    await api.sendDocument(chat, new InputFile(Buffer.from('内容'), '报告.txt'), { caption: 'file' });
  },
};

for (const [name, peer] of Object.entries({ telegraf, grammy }))
  describe(`the Telegram simulator, used by ${name}`, () => {
    let telegram: TelegramSimulator;
    let ann: User;
    let chat: Chat;
    let token: string;
    let stop: () => Promise<void>;

    before(async () => {
      telegram = await startTelegram();
      const bot = telegram.addBot({ username: 'peer_bot' });
      token = bot.token;
      ann = telegram.addUser({ firstName: 'Ann', username: 'ann' });
      chat = telegram.openPrivateChat(ann, bot);
      stop = await peer.start(telegram.url, token);
    });

    after(async () => {
      await stop();
      await telegram.stop();
    });

    test('polls, and answers text as a reply', async () => {
      const said = telegram.people.say(ann, chat, 'hello 你好 𠮷');
      const answer = await telegram.waitFor(chat, ({ content }) => content.text === 'echo hello 你好 𠮷');
      assert.equal(answer.replyTo, said);
    });

    test('takes commands with their arguments', async () => {
      telegram.people.say(ann, chat, '/start payload');
      const answer = await telegram.waitFor(chat, ({ content }) => content.text === 'Welcome payload');
      assert.deepEqual(answer.content.entities, [{ type: 'bold', offset: 0, length: 7 }]);
    });

    test('answers a press and edits', async () => {
      telegram.people.say(ann, chat, 'press me');
      const echo = await telegram.waitFor(chat, ({ content }) => content.text === 'echo press me');
      const press = telegram.people.press(ann, echo, 'Again');
      await telegram.waitFor(chat, ({ content }) => content.text === 'edited');
      assert.deepEqual(press.answer, { text: 'done', alert: false });
      assert.deepEqual(
        echo.history.map(({ text }) => text),
        ['echo press me', 'edited'],
      );
    });

    test('sends an album, whose items carry one group', async () => {
      await peer.album(telegram.url, token, chat.id);
      const [first, second] = telegram.visible(chat).slice(-2);
      assert.deepEqual([first?.content.text, second?.content.text], ['both', '']);
      assert.equal(first?.media?.group, second?.media?.group);
      assert.ok(first?.media?.group !== undefined);
    });

    test('uploads a file with a Chinese name, which can be fetched again', async () => {
      await peer.upload(telegram.url, token, chat.id);
      const sent = await telegram.waitFor(chat, ({ content }) => content.text === 'file');
      const document = sent.media?.fields.document as { file_id: string; file_name: string };
      assert.equal(document.file_name, '报告.txt');
      const file = await fetch(`${telegram.url}/bot${token}/getFile?file_id=${document.file_id}`);
      const { result } = (await file.json()) as { result: { file_path: string } };
      const bytes = await fetch(`${telegram.url}/file/bot${token}/${result.file_path}`);
      assert.equal(await bytes.text(), '内容');
    });
  });
