import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dedupeKey } from '../../../src/channel/message.ts';
import {
  BOT,
  CONTEXT,
  cardAction,
  envelope,
  IN_GROUP,
  type MessageParts,
  mention,
  messageEvent,
} from '../fixtures/events.ts';
import { normalize } from './index.ts';

function read(event: object) {
  const reading = normalize(event, CONTEXT);
  assert.ok(reading !== null);
  return reading;
}
const message = (parts: MessageParts = {}) => read(messageEvent(parts)).message;
const inGroup = (text: string, mentions?: readonly object[]) =>
  message({ content: { text }, more: IN_GROUP, ...(mentions === undefined ? {} : { mentions }) });

test('a text in a direct chat', () => {
  assert.deepEqual(read(messageEvent()), {
    message: {
      channel: 'feishu',
      channelType: 'feishu',
      tenant: '2ed263bf32cf1651',
      chat: { id: 'oc_1', kind: 'dm' },
      id: 'om_1',
      kind: 'message',
      sender: { id: 'ou_ann', name: '', isBot: false },
      sentAt: 1_770_000_000_123,
      text: 'hello',
      addressed: 'dm',
      mentions: [],
      files: [],
    },
    lookup: { sender: 'ou_ann' },
  });
});

test('a leading mention of the bot is cut, and the message is to the bot', () => {
  const own = mention('@_user_1', BOT.openId, 'Antler');
  const { text, addressed, mentions } = inGroup('@_user_1 /new', [own]);
  assert.deepEqual({ text, addressed, mentions }, { text: '/new', addressed: 'mention', mentions: [] });
  assert.equal(inGroup('@_user_1：帮我', [own]).text, '帮我');
  assert.equal(inGroup('hey @_user_1 there', [own]).text, 'hey @Antler there');
  assert.equal(inGroup('@_user_1 @_user_1 twice', [own]).text, 'twice');
});

test('placeholders are replaced whole: @_user_1 begins @_user_10', () => {
  const people = Array.from({ length: 11 }, (_, i) => mention(`@_user_${i + 1}`, `ou_${i + 1}`, `P${i + 1}`));
  const text = people.map((_, i) => `@_user_${i + 1}`).join(' ');
  const found = inGroup(text, people);
  assert.equal(found.text, people.map((_, i) => `@P${i + 1}`).join(' '));
  assert.equal(found.mentions.length, 11);
  assert.equal(found.addressed, 'none');
});

test('@all comes with an entry or without, and is not a mention of the bot', () => {
  assert.deepEqual([inGroup('@_all read this').text, inGroup('@_all read this').addressed], ['@all read this', 'all']);
  const listed = inGroup('@_all read', [mention('@_all', '', 'everyone')]);
  assert.deepEqual([listed.addressed, listed.mentions], ['all', []]);
});

test('what looks like a placeholder and was typed by hand stays', () => {
  assert.equal(inGroup('type @_user_7 here').text, 'type @_user_7 here');
});

test('another account with the name of the bot is not the bot', () => {
  const found = inGroup('@_user_1 hi', [mention('@_user_1', 'ou_other', 'Antler')]);
  assert.deepEqual([found.addressed, found.text], ['none', '@Antler hi']);
});

test('a mention without an id keeps its name', () => {
  const found = inGroup('@_user_1 hi', [{ key: '@_user_1', id: { open_id: '', user_id: null }, name: 'Guest' }]);
  assert.deepEqual([found.text, found.mentions], ['@Guest hi', [{ id: '', name: 'Guest' }]]);
  assert.equal(inGroup('@_user_1 hi', [{ key: '@_user_1', name: 'X' }]).text, '@X hi');
});

test('texts are no HTML', () => {
  const text = ' <b>x</b> &nbsp;\n ';
  assert.equal(inGroup(text).text, text);
});

test('replies and threads', () => {
  const reply = { root_id: 'om_r', parent_id: 'om_p' };
  const quoting = read(messageEvent({ more: { ...IN_GROUP, ...reply } }));
  assert.deepEqual(
    [quoting.message.topic, quoting.lookup.parent, quoting.lookup.isThreadRoot],
    [undefined, 'om_p', undefined],
  );
  const inThread = read(
    messageEvent({ more: { ...IN_GROUP, root_id: 'om_r', parent_id: 'om_r', thread_id: 'omt_1' } }),
  );
  assert.deepEqual(
    [inThread.message.topic, inThread.lookup.parent, inThread.lookup.isThreadRoot],
    ['omt_1', 'om_r', true],
  );
});

test('other bots are bots, and what the bot itself said is nothing', () => {
  const other = message({ sender: { sender_id: { open_id: 'ou_x' }, sender_type: 'app' }, more: IN_GROUP });
  assert.equal(other.sender.isBot, true);
  assert.equal(
    normalize(messageEvent({ sender: { sender_id: { open_id: BOT.openId }, sender_type: 'app' } }), CONTEXT),
    null,
  );
});

test('who has no open_id is known by another id, who has none at all is unknown', () => {
  assert.equal(message({ sender: { sender_id: { open_id: '', union_id: 'on_1' } } }).sender.id, 'on_1');
  assert.equal(message({ sender: { sender_id: { user_id: 'u1', open_id: null } } }).sender.id, 'u1');
  assert.equal(message({ sender: { sender_id: null } }).sender.id, 'unknown');
});

test('people of another tenant keep their tenant', () => {
  assert.equal(message({ sender: { tenant_key: 'other' } }).tenant, 'other');
});

test('times come in milliseconds, in seconds, and not at all', () => {
  assert.equal(message({ more: { create_time: '1770000000' } }).sentAt, 1_770_000_000_000);
  assert.equal(message({ more: { create_time: undefined } }).sentAt, 1_770_000_000_500);
  assert.equal(message({ more: { create_time: 'soon' } }).sentAt, CONTEXT.now);
});

test('a message that is told by another event once more is the same message', () => {
  const told = (id: string) => {
    const event = messageEvent() as { header: object };
    return dedupeKey(read({ ...event, header: { ...event.header, event_id: id } }).message);
  };
  assert.equal(told('ev_1'), told('ev_2'));
});

test('a message that cannot be read is a placeholder', () => {
  const broken = envelope('im.message.receive_v1', {
    message: { message_id: 'om_1', chat_id: 'oc_1', chat_type: 'p2p', mentions: 7 },
  });
  const { text, chat } = read(broken).message;
  assert.deepEqual([text, chat.kind], ['[message]', 'dm']);
});

test('what was taken back, reactions, comings and goings', () => {
  const recall = read(
    envelope('im.message.recalled_v1', { message_id: 'om_9', chat_id: 'oc_1', recall_time: '1770000001000' }),
  );
  assert.deepEqual(
    [recall.message.kind, recall.message.id, recall.message.sentAt, recall.lookup.about],
    ['recall', 'om_9', 1_770_000_001_000, 'om_9'],
  );
  const reaction = {
    message_id: 'om_9',
    reaction_type: { emoji_type: 'SMILE' },
    operator_type: 'user',
    user_id: { open_id: 'ou_ann' },
  };
  assert.equal(read(envelope('im.message.reaction.created_v1', reaction)).message.text, 'SMILE');
  assert.equal(read(envelope('im.message.reaction.deleted_v1', reaction)).message.text, '[removed SMILE]');
  assert.equal(
    normalize(envelope('im.message.reaction.created_v1', { ...reaction, operator_type: 'app' }), CONTEXT),
    null,
  );
  const added = { chat_id: 'oc_1', operator_id: { open_id: 'ou_ann' }, name: 'Team' };
  assert.deepEqual(
    ['im.chat.member.bot.added_v1', 'im.chat.member.bot.deleted_v1', 'im.chat.disbanded_v1'].map(
      (type) => read(envelope(type, added)).message.kind,
    ),
    ['joined', 'left', 'left'],
  );
});

test('people who come into a group and leave it', () => {
  const event = {
    ...{ chat_id: 'oc_1', operator_id: { open_id: 'ou_ann' }, name: 'Team' },
    users: [
      { name: 'Bob', user_id: { open_id: 'ou_bob' } },
      { name: null, user_id: null },
    ],
  };
  const found = read(envelope('im.chat.member.user.added_v1', event)).message;
  assert.deepEqual(
    [found.kind, found.text, found.mentions, found.sender.id],
    [
      'joined',
      '@Bob @?',
      [
        { id: 'ou_bob', name: 'Bob' },
        { id: '', name: '?' },
      ],
      'ou_ann',
    ],
  );
  assert.equal(read(envelope('im.chat.member.user.deleted_v1', event)).message.kind, 'left');
});

test('opening the direct chat for the first time is a hello, later it is nothing', () => {
  const type = 'im.chat.access_event.bot_p2p_chat_entered_v1';
  const event = { chat_id: 'oc_1', operator_id: { open_id: 'ou_ann' } };
  const { text, chat, sender, kind } = read(envelope(type, event)).message;
  assert.deepEqual([kind, text, chat, sender.id], ['message', '/start', { id: 'oc_1', kind: 'dm' }, 'ou_ann']);
  assert.equal(normalize(envelope(type, { ...event, last_message_id: 'om_9' }), CONTEXT), null);
});

test('an entry of the menu is a command', () => {
  const event = {
    operator: { operator_name: 'Ann', operator_id: { open_id: 'ou_ann' } },
    event_key: 'new',
    timestamp: 1_770_000_000,
  };
  const { text, chat, sender, kind } = read(envelope('application.bot.menu_v6', event)).message;
  assert.deepEqual(
    { text, chat, name: sender.name, kind },
    { text: '/new', chat: { id: 'ou_ann', kind: 'dm' }, name: 'Ann', kind: 'message' },
  );
});

test('buttons, forms and foreign values of cards', () => {
  const table: [object, string, string][] = [
    [{ value: { antler: 'approve 1', kind: 'group', topic: 'omt_1' } }, 'approve 1', 'group'],
    [{ value: { antler: 'yes', kind: 'dm' } }, 'yes', 'dm'],
    [{ value: 'plain' }, 'plain', 'group'],
    [{ value: { foo: '/new' } }, '{"foo":"/new"}', 'group'],
    [{ form_value: { name: 'x', checked: true } }, '{"name":"x","checked":true}', 'group'],
    [{ option: 'second' }, 'second', 'group'],
    [{ tag: 'multi_select_static', options: ['a', 'b'] }, 'a, b', 'group'],
    [{ tag: 'checker', checked: true }, '☑', 'group'],
    [{ tag: 'input', input_value: 'typed' }, 'typed', 'group'],
    [{}, '{}', 'group'],
  ];
  for (const [action, text, kind] of table) {
    const found = read(cardAction(action)).message;
    assert.deepEqual(
      [found.kind, found.text, found.chat.kind, found.quote?.messageId],
      ['action', text, kind, 'om_card'],
    );
  }
  assert.equal(read(cardAction({ value: { antler: 'x', kind: 'group', topic: 'omt_1' } })).message.topic, 'omt_1');
  assert.equal(read(cardAction({})).message.sentAt, 1_770_000_000_500);
});

test('events of no interest, of the old schema and of no shape at all are nothing', () => {
  assert.equal(normalize(envelope('im.message.message_read_v1', {}), CONTEXT), null);
  assert.equal(normalize({ uuid: 'x', token: 't', type: 'event_callback', event: { type: 'message' } }, CONTEXT), null);
  assert.equal(normalize(null, CONTEXT), null);
});

test('a text of 150 KB with 500 mentions is read at once', () => {
  const people = Array.from({ length: 500 }, (_, i) => mention(`@_user_${i + 1}`, `ou_${i}`, `P${i}`));
  const text = `${people.map((_, i) => `@_user_${i + 1}`).join(' ')} ${'字'.repeat(45_000)}`;
  const before = performance.now();
  assert.equal(inGroup(text, people).mentions.length, 500);
  assert.ok(performance.now() - before < 500);
});

test('whatever comes, reading it throws nothing', () => {
  const types = fc.constantFrom(
    ...['im.message.receive_v1', 'im.message.recalled_v1', 'im.message.reaction.created_v1', 'im.chat.disbanded_v1'],
    ...['im.chat.member.user.added_v1', 'im.chat.access_event.bot_p2p_chat_entered_v1'],
    ...['application.bot.menu_v6', 'card.action.trigger', 'im.chat.member.bot.added_v1'],
  );
  fc.assert(fc.property(types, fc.jsonValue(), (type, event) => void normalize(envelope(type, event), CONTEXT)));
  const kinds = fc.constantFrom(
    'text',
    'post',
    'image',
    'file',
    'audio',
    'interactive',
    'todo',
    'vote',
    'location',
    ...['system', 'share_user', 'share_calendar_event', 'video_chat', 'media', 'x'],
  );
  const odd = fc.record({
    type: kinds,
    content: fc.jsonValue(),
    mentions: fc.jsonValue(),
    more: fc.dictionary(fc.string(), fc.jsonValue()),
  });
  fc.assert(fc.property(odd, (parts) => void normalize(messageEvent(parts), CONTEXT)));
  fc.assert(
    fc.property(kinds, fc.string(), (type, content) => void normalize(messageEvent({ type, content }), CONTEXT)),
  );
});
