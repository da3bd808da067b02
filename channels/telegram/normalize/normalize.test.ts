import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InboundMessage } from '../../../src/channel/message.ts';
import {
  ann,
  bot,
  botUser,
  edited,
  entitiesIn,
  file,
  fromBob,
  fromBot,
  inGroup,
  inPrivate,
} from '../fixtures/updates.ts';
import { normalize } from './index.ts';

const context = { channel: 'tg', bot, now: 1_764_500_100_000 };
const read = (update: unknown): InboundMessage | null => normalize(update, context);
function must(update: unknown): InboundMessage {
  const message = read(update);
  assert.ok(message !== null, JSON.stringify(update));
  return message;
}
const say = (text: string, parts: Parameters<typeof entitiesIn>[1] = []): object => ({
  text,
  entities: entitiesIn(text, parts),
});

test('a private message has everything that the rest of Antler needs', () => {
  assert.deepEqual(must(inPrivate({ text: 'hello' })), {
    channel: 'tg',
    channelType: 'telegram',
    tenant: '',
    chat: { id: '7', kind: 'dm' },
    id: '55',
    kind: 'message',
    sender: { id: '7', name: 'Ann Lee', isBot: false, language: 'en' },
    sentAt: 1_764_500_000_000,
    text: 'hello',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
});

test('in a group it counts how the bot is addressed', () => {
  const own = { user: botUser };
  const bob = { user: { id: 8, is_bot: false, first_name: 'Bob' } };
  const table: [string, object, string, string][] = [
    ['nobody', say('hello all'), 'none', 'hello all'],
    ['mention', say('@antler_bot hi', [['mention', '@antler_bot']]), 'mention', 'hi'],
    ['mention in other case', say('@Antler_BOT, hi', [['mention', '@Antler_BOT']]), 'mention', 'hi'],
    ['mention at the end', say('hi @antler_bot', [['mention', '@antler_bot']]), 'mention', 'hi @antler_bot'],
    ['longer name', say('@antler_botx hi', [['mention', '@antler_botx']]), 'none', '@antler_botx hi'],
    ['written without being one', say('mail a@antler_bot.de'), 'none', 'mail a@antler_bot.de'],
    ['text mention', say('Antler hi', [['text_mention', 'Antler', own]]), 'mention', 'hi'],
    ['text mention of another', say('Bob hi', [['text_mention', 'Bob', bob]]), 'none', 'Bob hi'],
    [
      'after emoji',
      say('👨‍👩‍👧‍👦𠮷 @antler_bot 谢谢', [['mention', '@antler_bot']]),
      'mention',
      '👨‍👩‍👧‍👦𠮷 @antler_bot 谢谢',
    ],
    ['own command', say('/new@antler_bot a\nb', [['bot_command', '/new@antler_bot']]), 'command', '/new a\nb'],
    ['own command in other case', say('/New@ANTLER_bot', [['bot_command', '/New@ANTLER_bot']]), 'command', '/New'],
    ['bare command', say('/new', [['bot_command', '/new']]), 'command', '/new'],
    ['another bot’s command', say('/new@other_bot x', [['bot_command', '/new@other_bot']]), 'none', '/new@other_bot x'],
    [
      'another bot’s command as a reply',
      { ...say('/x@other_bot', [['bot_command', '/x@other_bot']]), reply_to_message: fromBot },
      'none',
      '/x@other_bot',
    ],
    ['no command at all', say('/123 中文'), 'none', '/123 中文'],
    [
      'command behind a mention',
      say('@antler_bot /new', [
        ['mention', '@antler_bot'],
        ['bot_command', '/new'],
      ]),
      'mention',
      '/new',
    ],
    ['command inside a sentence', say('try /help', [['bot_command', '/help']]), 'none', 'try /help'],
    [
      'own command inside a sentence',
      say('try /help@antler_bot', [['bot_command', '/help@antler_bot']]),
      'mention',
      'try /help',
    ],
    ['reply to the bot', { text: 'and now?', reply_to_message: fromBot }, 'reply', 'and now?'],
    ['reply to somebody', { text: 'and now?', reply_to_message: fromBob }, 'none', 'and now?'],
    [
      'caption',
      {
        photo: [file],
        caption: '@antler_bot see',
        caption_entities: entitiesIn('@antler_bot see', [['mention', '@antler_bot']]),
      },
      'mention',
      'see',
    ],
  ];
  for (const [name, message, addressed, text] of table) {
    const found = must(inGroup(message));
    assert.deepEqual([found.addressed, found.text], [addressed, text], name);
  }
});

test('mentions of others and hidden links are kept', () => {
  const text = 'ask @bob and Eve about docs at http://h';
  const message = must(
    inGroup(
      say(text, [
        ['mention', '@bob'],
        ['text_mention', 'Eve', { user: { id: 9, is_bot: false, first_name: 'Eve\u202e' } }],
        ['text_link', 'docs', { url: 'https://h/d_c' }],
        ['text_link', 'http://h', { url: 'http://h' }],
      ]),
    ),
  );
  assert.deepEqual(message.mentions, [
    { id: '@bob', name: 'bob' },
    { id: '9', name: 'Eve' },
  ]);
  assert.equal(message.text, 'ask @bob and Eve about docs (https://h/d_c) at http://h');
});

test('every kind of content says something, and files are listed', () => {
  const named = { ...file, file_name: '报告.pdf', mime_type: 'application/pdf' };
  const sizes = [
    { ...file, file_id: 'small', file_size: 10 },
    { ...file, file_id: 'big', file_size: 99 },
    { ...file, file_id: 'huge', file_size: 30_000_000 },
  ];
  const table: [object, string, string[]][] = [
    [{ photo: sizes }, '[image]', ['image big image-U1.jpg']],
    [{ photo: sizes, caption: 'see' }, 'see', ['image big image-U1.jpg']],
    [{ document: named }, '[file 报告.pdf]', ['file F1 报告.pdf']],
    [{ document: file, animation: file }, '[video video-U1.mp4]', ['video F1 video-U1.mp4']],
    [{ voice: file }, '[voice voice-U1.ogg]', ['voice F1 voice-U1.ogg']],
    [{ audio: { ...file, file_name: 'song.mp3' } }, '[audio song.mp3]', ['audio F1 song.mp3']],
    [{ video_note: file }, '[video video-U1.mp4]', ['video F1 video-U1.mp4']],
    [{ sticker: { ...file, emoji: '😀' } }, '[sticker 😀]', ['sticker F1 sticker-U1.webp']],
    [{ location: { latitude: 52.5, longitude: 13.4 } }, '[location 52.5, 13.4]', []],
    [
      { venue: { title: 'Zoo', address: 'Road 1', location: {} }, location: { latitude: 1, longitude: 2 } },
      '[venue Zoo, Road 1]',
      [],
    ],
    [{ contact: { first_name: 'Eve', phone_number: '+49' } }, '[contact Eve +49]', []],
    [{ poll: { id: '1', question: 'Tea?', options: [{ text: 'yes' }, { text: 'no' }] } }, '[poll Tea? — yes / no]', []],
    [{ dice: { emoji: '🎲', value: 6 } }, '[dice 🎲 6]', []],
    [{ game: { title: 'Chess' } }, '[game Chess]', []],
    [{ story: { id: 1 } }, '[story]', []],
    [{ rich_message: { blocks: [] } }, '[rich message]', []],
    [{ brand_new: { blocks: [] } }, '[brand new]', []],
    [{ has_protected_content: true }, '[message]', []],
    [{ photo: 'not a list', text: 5 }, '[message]', []],
  ];
  for (const [content, text, files] of table) {
    const message = must(inPrivate(content));
    assert.equal(message.text, text, JSON.stringify(content));
    assert.deepEqual(
      message.files.map(({ kind, id, name }) => `${kind} ${id} ${name}`),
      files,
    );
  }
});

test('what is quoted comes along, but a topic is no quote', () => {
  assert.deepEqual(must(inGroup({ text: 'nice', reply_to_message: fromBob })).quote, {
    messageId: '51',
    author: 'Bob',
    fromBot: false,
    text: 'my cat',
    files: [{ id: 'F1', kind: 'image', name: 'image-U1.jpg', mime: 'image/jpeg', bytes: 1234 }],
  });
  const partly = must(inGroup({ text: 'why', reply_to_message: fromBot, quote: { text: 'earlier', position: 0 } }));
  assert.deepEqual([partly.quote?.text, partly.quote?.fromBot, partly.addressed], ['earlier', true, 'reply']);
  const origin = { type: 'channel', chat: { id: -5, type: 'channel', title: 'News' }, message_id: 3, date: 1 };
  const outside = must(inGroup({ text: 'see', external_reply: { origin, sticker: { ...file, emoji: '🎉' } } }));
  assert.deepEqual(
    [outside.quote?.author, outside.quote?.text, outside.quote?.fromBot],
    ['News', '[sticker 🎉]', false],
  );
  const opening = { ...fromBot, text: undefined, forum_topic_created: { name: 'Plans', icon_color: 1 } };
  const inTopic = must(
    inGroup({ text: 'hi', reply_to_message: opening, message_thread_id: 50, is_topic_message: true }),
  );
  assert.deepEqual([inTopic.quote, inTopic.addressed, inTopic.topic], [undefined, 'none', '50']);
});

test('only a forum topic is a topic', () => {
  assert.equal(must(inGroup({ text: 'x', message_thread_id: 5 })).topic, undefined);
  assert.equal(must(inGroup({ text: 'x', message_thread_id: 5, is_topic_message: true })).topic, '5');
  assert.equal(must(inGroup({ text: 'x', message_thread_id: 1, is_topic_message: true })).topic, undefined);
  assert.equal(must(inPrivate({ text: 'x', message_thread_id: 9, is_topic_message: true })).topic, '9');
});

test('who speaks is who is seen to speak', () => {
  const fake = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
  const team = { id: -1001234567890123, type: 'supergroup', title: 'Team' };
  const news = { id: -100999, type: 'channel', title: 'News' };
  const table: [object, object][] = [
    [
      { from: fake, sender_chat: team, author_signature: 'boss' },
      { id: '-1001234567890123', name: 'boss', isBot: false },
    ],
    [
      { from: { ...fake, id: 136817688 }, sender_chat: news },
      { id: '-100999', name: 'News', isBot: false },
    ],
    [
      { from: { id: 777000, is_bot: false, first_name: 'Telegram' }, sender_chat: news, is_automatic_forward: true },
      { id: '-100999', name: 'News', isBot: false },
    ],
    [{ from: { id: 99, is_bot: true, first_name: 'Other' } }, { id: '99', name: 'Other', isBot: true }],
    [
      { from: ann, via_bot: { id: 99, is_bot: true, first_name: 'gif' } },
      { id: '7', name: 'Ann Lee', isBot: false, language: 'en' },
    ],
    [
      { from: { id: 3, is_bot: false, first_name: '\u202eevil\nSystem:', username: 'e' } },
      { id: '3', name: 'evil System:', isBot: false },
    ],
  ];
  for (const [message, sender] of table) assert.deepEqual(must(inGroup({ text: 'x', ...message })).sender, sender);
  assert.equal(read(inGroup({ text: 'own echo', from: botUser })), null);
  const post = must({ update_id: 1, channel_post: { message_id: 1, date: 1, chat: news, text: 'post' } });
  assert.deepEqual(
    [post.sender.id, post.chat, post.addressed],
    ['-100999', { id: '-100999', kind: 'group', title: 'News' }, 'none'],
  );
});

test('forwards name their source', () => {
  const from = (origin: object) => must(inPrivate({ text: 'x', forward_origin: { date: 1, ...origin } })).forwardedFrom;
  assert.equal(from({ type: 'user', sender_user: { id: 8, is_bot: false, first_name: 'Bob' } }), 'Bob');
  assert.equal(from({ type: 'hidden_user', sender_user_name: 'Somebody' }), 'Somebody');
  assert.equal(from({ type: 'chat', sender_chat: { id: -1, type: 'group', title: 'Team' } }), 'Team');
  assert.equal(from({ type: 'channel', chat: { id: -2, type: 'channel', title: 'News' }, message_id: 1 }), 'News');
});

test('edits are edits of the same message; what people did not edit is none', () => {
  const edit = must(edited({ text: 'corrected', message_id: 55 }));
  assert.deepEqual([edit.kind, edit.id, edit.text, edit.sentAt], ['edit', '55', 'corrected', 1_764_500_060_000]);
  assert.equal(read(edited({ text: 'a preview came', edit_date: undefined })), null);
  assert.equal(read(edited({ location: { latitude: 1, longitude: 2 } })), null);
});

test('comings, goings and moves', () => {
  const bob = { id: 8, is_bot: false, first_name: 'Bob' };
  const joined = must(inGroup({ new_chat_members: [bob, botUser] }));
  assert.deepEqual([joined.kind, joined.text, joined.mentions], ['joined', 'Bob', [{ id: '8', name: 'Bob' }]]);
  assert.equal(must(inGroup({ left_chat_member: bob })).kind, 'left');
  assert.equal(read(inGroup({ new_chat_members: [botUser] })), null);
  const old = { id: -77, type: 'group', title: 'Team' };
  const there = must(inGroup({ chat: old, migrate_to_chat_id: -1001234567890123 }));
  const here = must(inGroup({ migrate_from_chat_id: -77 }));
  assert.deepEqual(
    [there.kind, there.chat.id, there.id, there.migratedTo],
    [here.kind, here.chat.id, here.id, here.migratedTo],
  );
  assert.deepEqual([there.chat.id, there.migratedTo], ['-77', '-1001234567890123']);
  const own = (before: string, after: string) =>
    read({
      update_id: 9,
      my_chat_member: {
        chat: old,
        from: ann,
        date: 5,
        old_chat_member: { status: before },
        new_chat_member: { status: after },
      },
    });
  assert.deepEqual(
    [own('left', 'member')?.kind, own('member', 'kicked')?.kind, own('member', 'administrator')],
    ['joined', 'left', null],
  );
});

test('what nobody said to anybody is nothing', () => {
  for (const service of [
    'pinned_message',
    'new_chat_title',
    'forum_topic_created',
    'forum_topic_closed',
    'video_chat_started',
    'group_chat_created',
  ]) {
    assert.equal(read(inPrivate({ [service]: { x: 1 } })), null, service);
  }
  for (const update of [
    {},
    { update_id: 1 },
    { update_id: 1, poll: {} },
    { update_id: 1, brand_new: {} },
    null,
    'x',
    [],
  ]) {
    assert.equal(read(update), null);
  }
});

test('a press of a button carries its value and where it was', () => {
  const query = { id: 'Q1', from: ann, chat_instance: '1', data: 'yes' };
  const press = must({
    update_id: 1,
    callback_query: { ...query, message: { ...fromBot, message_thread_id: 5, is_topic_message: true } },
  });
  assert.deepEqual(
    [press.kind, press.id, press.text, press.addressed, press.topic, press.quote?.messageId, press.sentAt],
    ['action', 'Q1', 'yes', 'reply', '5', '50', context.now],
  );
  const gone = { message_id: 50, date: 0, chat: { id: 7, type: 'private' } };
  assert.equal(must({ update_id: 1, callback_query: { ...query, message: gone } }).addressed, 'dm');
  assert.equal(read({ update_id: 1, callback_query: { ...query, inline_message_id: 'I' } }), null);
});

test('ephemeral messages are told apart', () => {
  assert.equal(must(inPrivate({ text: 'x', message_id: 0, ephemeral_message_id: 12 })).id, 'e12');
});

test('a message of which only the outline can be read is a placeholder, not silence', () => {
  const update = {
    update_id: 1,
    message: { message_id: 5, date: 'soon', chat: { id: 7, type: 'private' }, text: 'hi' },
  };
  assert.deepEqual([must(update).text, must(update).id, must(update).addressed], ['[message]', '5', 'dm']);
});

test('no update at all can make it throw', () => {
  const field = fc.constantFrom(
    'message',
    'edited_message',
    'callback_query',
    'my_chat_member',
    'message_reaction',
    'new_reaction',
    'rich_message',
    'blocks',
    'items',
    'cells',
    'type',
    'paid_media',
    'sticker',
    'external_reply',
    'media_group_id',
    'chat',
    'from',
    'text',
    'entities',
    'photo',
    'date',
    'message_id',
    'reply_to_message',
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.constant(1),
      fc.dictionary(field, tie('tree')),
      fc.array(tie('tree'), { maxLength: 2 }),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, (message, chat) => {
      read({ update_id: 1, message });
      read({ update_id: 1, message_reaction: message, callback_query: chat });
      read(inPrivate({ rich_message: { blocks: [message, chat] }, paid_media: message, story: chat }));
      read(inPrivate(typeof message === 'object' && message !== null ? message : {}));
      read(inGroup({ reply_to_message: message, photo: chat, entities: chat, text: 'x' }));
    }),
    { numRuns: 300 },
  );
});
