import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundMessage } from '../../../src/channel/message.ts';
import { ann, bot, botUser, edited, file, fromBob, fromBot, inGroup, inPrivate } from '../fixtures/updates.ts';
import { normalize } from './index.ts';

const context = { channel: 'tg', bot, now: 1_764_500_100_000 };
const read = (update: unknown): InboundMessage | null => normalize(update, context);
function must(update: unknown): InboundMessage {
  const message = read(update);
  assert.ok(message !== null, JSON.stringify(update));
  return message;
}
const named = ({ files }: InboundMessage): string[] => files.map(({ id, name, mime }) => `${id} ${name} ${mime ?? ''}`);
const news = { id: -100999, type: 'channel', title: 'News' };

test('a sticker that moves is a file of its own kind', () => {
  const sticker = { ...file, emoji: '😀' };
  assert.deepEqual(named(must(inPrivate({ sticker }))), ['F1 sticker-U1.webp image/webp']);
  assert.deepEqual(named(must(inPrivate({ sticker: { ...sticker, is_animated: true } }))), [
    'F1 sticker-U1.tgs application/x-tgsticker',
  ]);
  assert.deepEqual(named(must(inPrivate({ sticker: { ...sticker, is_video: true } }))), [
    'F1 sticker-U1.webm video/webm',
  ]);
});

test('a song without a file name is known by artist and title', () => {
  const song = must(inPrivate({ audio: { ...file, performer: 'Bo', title: 'Rain/1' } }));
  assert.deepEqual([song.text, ...named(song)], ['[audio Bo - Rain_1.mp3]', 'F1 Bo - Rain_1.mp3 ']);
  assert.equal(must(inPrivate({ audio: { ...file, title: 'Rain' } })).text, '[audio Rain.mp3]');
});

test('a file’s name leads nowhere, and a Chinese one is kept though its type is not told', () => {
  const document = (name: string) => must(inPrivate({ document: { ...file, file_name: name } })).files[0];
  assert.equal(document('../../etc/passwd')?.name, 'passwd');
  assert.deepEqual(document('会议记录.docx'), { id: 'F1', kind: 'file', name: '会议记录.docx', bytes: 1234 });
});

test('kinds without words read as what they are', () => {
  const table: [object, string][] = [
    [{ story: { id: 1, chat: news } }, '[story of News]'],
    [
      {
        checklist: {
          title: 'Trip',
          tasks: [
            { id: 1, text: 'pack' },
            { id: 2, text: 'go' },
          ],
        },
      },
      '[checklist Trip — pack / go]',
    ],
    [{ giveaway: { chats: [], winner_count: 1, prize_description: 'a cat' } }, '[giveaway a cat]'],
    [{ giveaway_winners: { winners: [], chat: news } }, '[giveaway winners]'],
    [{ invoice: { title: 'Tea', total_amount: 5 } }, '[invoice Tea]'],
    [{ paid_media: { star_count: 5, paid_media: [{ type: 'preview' }] } }, '[paid media for 5 stars]'],
    [{ poll: { id: '1', question: 'Tea\nor\ncoffee?', options: [] } }, '[poll Tea or coffee?]'],
  ];
  for (const [content, text] of table) assert.equal(must(inPrivate(content)).text, text, JSON.stringify(content));
});

test('paid media that was paid for, and live photos, bring their files', () => {
  const paid = must(
    inPrivate({
      paid_media: {
        paid_media: [
          { type: 'photo', photo: [file] },
          { type: 'video', video: file },
        ],
      },
    }),
  );
  assert.deepEqual(
    paid.files.map(({ kind }) => kind),
    ['image', 'video'],
  );
  assert.equal(must(inPrivate({ live_photo: { ...file, photo: [file] } })).files[0]?.kind, 'image');
  assert.equal(must(inPrivate({ live_photo: file })).files[0]?.kind, 'video');
});

test('a rich message reads as Markdown, with its files, and calls whom it calls', () => {
  const blocks = [
    { type: 'heading', size: 2, text: 'Plan' },
    {
      type: 'paragraph',
      text: [
        { type: 'mention', username: 'antler_bot', text: '@antler_bot' },
        ' see ',
        { type: 'url', text: 'docs', url: 'https://h/d' },
      ],
    },
    {
      type: 'list',
      items: [
        { label: '1.', blocks: [{ type: 'paragraph', text: 'one' }] },
        { label: '•', has_checkbox: true, is_checked: true, blocks: [{ type: 'paragraph', text: 'two' }] },
      ],
    },
    { type: 'blockquote', blocks: [{ type: 'paragraph', text: { type: 'bold', text: 'said' } }] },
    { type: 'pre', language: 'py', text: 'x = 1' },
    {
      type: 'table',
      cells: [
        [{ text: 'a' }, { text: 'b' }],
        [{ text: '1' }, {}],
      ],
    },
    { type: 'photo', photo: [file], caption: { text: 'a cat' } },
    { type: 'mathematical_expression', expression: 'x^2' },
    { type: 'details', summary: 'more', blocks: [{ type: 'divider' }] },
    { type: 'brand_new', text: ['still ', { type: 'custom_emoji', alternative_text: '🎉' }] },
  ];
  const message = must(inGroup({ rich_message: { blocks } }));
  assert.equal(
    message.text,
    [
      '## Plan',
      '@antler_bot see docs (https://h/d)',
      '1. one\n- [x] two',
      '> said',
      '```py\nx = 1\n```',
      '| a | b |\n| --- | --- |\n| 1 |  |',
      '[image] a cat',
      'x^2',
      'more\n---',
      'still 🎉',
    ].join('\n\n'),
  );
  assert.equal(message.addressed, 'mention');
  assert.deepEqual(named(message), ['F1 image-U1.jpg image/jpeg']);
});

test('a reply to a story says whose it was', () => {
  assert.equal(must(inPrivate({ text: 'nice', reply_to_story: { id: 1, chat: news } })).quote?.text, '[story of News]');
});

test('a quoted link keeps its hidden target', () => {
  const quoted = {
    ...fromBot,
    text: 'see docs',
    entities: [{ type: 'text_link', offset: 4, length: 4, url: 'https://h/d' }],
  };
  assert.equal(must(inGroup({ text: 'why?', reply_to_message: quoted })).quote?.text, 'see docs (https://h/d)');
});

test('the files of a message in another chat come with the reply to it', () => {
  const origin = { type: 'user', sender_user: ann, date: 1 };
  const external = { origin, chat: news, message_id: 5, document: { ...file, file_name: 'a.pdf' } };
  const { quote } = must(inPrivate({ text: 'read this', external_reply: external }));
  assert.deepEqual(
    [quote?.author, quote?.text, quote?.files[0]?.name, quote?.messageId],
    ['Ann Lee', '[file a.pdf]', 'a.pdf', undefined],
  );
});

test('a topic’s first message is no quote even where it is not told what it is', () => {
  const message = must(
    inGroup({ text: 'x', message_thread_id: 50, is_topic_message: true, reply_to_message: fromBot }),
  );
  assert.deepEqual([message.quote, message.addressed], [undefined, 'none']);
});

test('a channel’s post that is copied into its group calls nobody there', () => {
  const copy = {
    sender_chat: news,
    is_automatic_forward: true,
    text: '@antler_bot hi',
    entities: [{ type: 'mention', offset: 0, length: 11 }],
  };
  assert.deepEqual([must(inGroup(copy)).addressed, must(inGroup(copy)).sender.id], ['none', '-100999']);
});

test('what belongs to a business account or a guest query is not taken for the chat with the same id', () => {
  assert.equal(read(inPrivate({ text: 'x', business_connection_id: 'B' })), null);
  assert.equal(read(inPrivate({ text: 'x', guest_query_id: 'G' })), null);
  const query = { id: 'Q', from: ann, data: 'x', message: { ...fromBot, business_connection_id: 'B' } };
  assert.equal(read({ update_id: 1, callback_query: query }), null);
});

test('a reaction tells who thinks what of which message', () => {
  const change = (old: object[], now: object[], more: object = { user: ann }) =>
    read({
      update_id: 1,
      message_reaction: { chat: news, message_id: 50, date: 5, old_reaction: old, new_reaction: now, ...more },
    });
  const thumb = { type: 'emoji', emoji: '👍' };
  const added = change([], [thumb]);
  assert.deepEqual(
    [added?.kind, added?.text, added?.sender.id, added?.quote?.messageId, added?.sentAt],
    ['reaction', '👍', '7', '50', 5_000],
  );
  assert.equal(change([thumb], [])?.text, '[removed 👍]');
  assert.equal(change([thumb], [thumb, { type: 'custom_emoji', custom_emoji_id: '1' }])?.text, '[custom_emoji]');
  assert.equal(change([], [thumb], { actor_chat: news })?.sender.name, 'News');
  assert.equal(change([], [thumb], { user: botUser }), null);
});

test('grey lines between messages are nothing, but a giveaway is posted by somebody', () => {
  for (const service of [
    'giveaway_created',
    'giveaway_completed',
    'web_app_data',
    'boost_added',
    'checklist_tasks_done',
    'gift',
    'message_auto_delete_timer_changed',
    'users_shared',
    'forum_topic_edited',
    'general_forum_topic_hidden',
    'poll_option_added',
    'community_chat_joined',
    'proximity_alert_triggered',
    'successful_payment',
  ])
    assert.equal(read(inGroup({ [service]: { x: 1 } })), null, service);
});

test('votes, inline queries and other updates without a chat are nothing', () => {
  for (const kind of [
    'poll',
    'poll_answer',
    'inline_query',
    'chosen_inline_result',
    'shipping_query',
    'chat_boost',
    'business_message',
    'guest_message',
    'stopped_message_generation',
    'chat_member',
    'chat_join_request',
  ])
    assert.equal(read({ update_id: 1, [kind]: { id: '1', chat: news, from: ann } }), null, kind);
});

test('a caption that was edited is an edit, a live location that moves is none', () => {
  assert.equal(must(edited({ photo: [file], caption: 'better' })).text, 'better');
  assert.equal(read(edited({ location: { latitude: 1, longitude: 2 }, edit_date: 9 })), null);
  assert.equal(must(inGroup({ location: { latitude: 1, longitude: 2, live_period: 60 } })).text, '[location 1, 2]');
});

test('a custom emoji keeps the one that stands for it', () => {
  const entities = [{ type: 'custom_emoji', offset: 3, length: 2, custom_emoji_id: '5368324170671202286' }];
  assert.equal(must(inPrivate({ text: 'hi 🎉', entities })).text, 'hi 🎉');
});

test('the longest message there is stays whole, and so do both halves of a longer one', () => {
  const text = '𠮷'.repeat(2_048);
  assert.equal(must(inPrivate({ text })).text, text);
  const mention = { type: 'mention', offset: 4_085, length: 11 };
  const call = must(inGroup({ text: `${'𠮷'.repeat(2_042)} @antler_bot`, entities: [mention] }));
  assert.deepEqual([call.addressed, call.text.length], ['mention', 4_096]);
});

test('an edited post of a channel is an edit by the channel, which calls nobody', () => {
  const post = { message_id: 1, date: 1, edit_date: 2, chat: news, text: 'better' };
  const edit = must({ update_id: 1, edited_channel_post: post });
  assert.deepEqual([edit.kind, edit.sender.id, edit.addressed, edit.sentAt], ['edit', '-100999', 'none', 2_000]);
});

test('being blocked by a person is as leaving their chat', () => {
  const change = (before: string, after: string) =>
    must({
      update_id: 9,
      my_chat_member: {
        ...{ chat: { id: 7, type: 'private', first_name: 'Ann' }, from: ann, date: 5 },
        ...{ old_chat_member: { status: before }, new_chat_member: { status: after } },
      },
    });
  assert.deepEqual([change('member', 'kicked').kind, change('kicked', 'member').kind], ['left', 'joined']);
  assert.equal(change('member', 'kicked').chat.kind, 'dm');
});

test('chat ids of 52 bits stay exact, and the same person in two groups is in two chats', () => {
  const there = { id: -1009999999999999, type: 'supergroup', title: 'Other' };
  assert.equal(must(inGroup({ text: 'x' })).chat.id, '-1001234567890123');
  assert.equal(must(inGroup({ text: 'x', chat: there, reply_to_message: fromBob })).chat.id, '-1009999999999999');
});
