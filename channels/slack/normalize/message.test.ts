import assert from 'node:assert/strict';
import { test } from 'node:test';
import { around, asMention, changed, inChannel, inDm, LATER, richText, TS } from '../fixtures/events.ts';
import { must, read } from '../fixtures/read.ts';

test('a direct message has everything that the rest of Antler needs', () => {
  assert.deepEqual(must(inDm({ text: 'hello' })), {
    channel: 'sl',
    channelType: 'slack',
    tenant: 'T1',
    chat: { id: 'D1', kind: 'dm' },
    id: TS,
    kind: 'message',
    sender: { id: 'U1', name: 'Ann Lee', isBot: false, language: 'en-US' },
    sentAt: 1_764_500_000_000,
    text: 'hello',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
});

test('in a channel it counts how the bot is addressed', () => {
  const mentionInCode = { type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'UBOT' }] };
  const table: [string, object, string, string][] = [
    ['nobody', { text: 'hello all' }, 'none', 'hello all'],
    ['mention', { text: '<@UBOT> hi' }, 'mention', 'hi'],
    ['mention with a label and a colon', { text: '<@UBOT|antler>: hi' }, 'mention', 'hi'],
    ['twice', { text: '<@UBOT> <@UBOT> hi' }, 'mention', 'hi'],
    ['in the middle', { text: 'hi <@UBOT> do' }, 'mention', 'hi @antler do'],
    ['nothing else', { text: '<@UBOT>' }, 'mention', ''],
    ['command behind it', { text: '<@UBOT> /new' }, 'mention', '/new'],
    ['another bot', { text: '<@U9> deploy' }, 'none', '@builder deploy'],
    ['everybody', { text: '<!channel> lunch' }, 'all', '@channel lunch'],
    [
      'in the thread of the bot',
      { text: 'and now?', thread_ts: '1.000001', parent_user_id: 'UBOT' },
      'reply',
      'and now?',
    ],
    [
      'to somebody else there',
      { text: '<@U2> see?', thread_ts: '1.000001', parent_user_id: 'UBOT' },
      'none',
      '@Bob see?',
    ],
    ['in another thread', { text: 'and now?', thread_ts: '1.000001', parent_user_id: 'U2' }, 'none', 'and now?'],
    [
      'pasted into code',
      { text: '```<@UBOT>```', blocks: [{ type: 'rich_text', elements: [mentionInCode] }] },
      'none',
      '```@antler```',
    ],
    ['in rich text', { text: '<@UBOT> hi', blocks: [richText({ type: 'user', user_id: 'UBOT' })] }, 'mention', 'hi'],
  ];
  for (const [name, message, addressed, text] of table) {
    const found = must(inChannel(message));
    assert.deepEqual([found.addressed, found.text], [addressed, text], name);
  }
});

test('the two events of one mention are the same message', () => {
  const message = { text: '<@UBOT> hi', blocks: [richText({ type: 'user', user_id: 'UBOT' })] };
  assert.deepEqual(must(asMention(message)), must(inChannel(message)));
  const typed = { ...message, text: '`<@UBOT>` hi' };
  assert.equal(must(asMention(typed)).addressed, 'mention');
});

test('a message belongs to the thread that it is in, or that its answer opens', () => {
  const root = '1764499999.000100';
  assert.equal(must(inChannel({ text: 'x' })).topic, TS);
  assert.equal(must(inChannel({ text: 'x', thread_ts: root })).topic, root);
  assert.equal(must(inChannel({ text: 'x', subtype: 'thread_broadcast', thread_ts: root })).topic, root);
  assert.equal(must(inDm({ text: 'x' })).topic, undefined);
  assert.equal(must(inDm({ text: 'x', thread_ts: root })).topic, root);
  assert.equal(must(inDm({ text: 'x', thread_ts: TS })).topic, undefined);
});

test('in a group message the bot is one of many, and in an assistant’s thread it is alone with one', () => {
  const group = { channel: 'G1', channel_type: 'mpim' };
  assert.deepEqual(
    [
      must(inChannel({ text: 'hi all', ...group })).addressed,
      must(inChannel({ text: '<@UBOT> hi', ...group })).addressed,
    ],
    ['none', 'mention'],
  );
  const root = '1764499999.000100';
  const asked = must(inDm({ text: 'hi', thread_ts: root, parent_user_id: 'UBOT', assistant_thread: { title: 'New' } }));
  assert.deepEqual([asked.addressed, asked.topic, asked.chat.kind], ['dm', root, 'dm']);
});

test('an id is a name and stays as it is, and an old message keeps its time', () => {
  const old = must(inDm({ text: 'x', ts: '1700000000.000100' }));
  assert.deepEqual([old.id, old.sentAt], ['1700000000.000100', 1_700_000_000_000]);
  assert.equal(read(inDm({ text: 'x', ts: 1_700_000_000.0001 })), null);
});

test('kinds of channels', () => {
  const kindOf = (fields: object): string => must(inChannel({ text: 'x', ...fields })).chat.kind;
  assert.equal(kindOf({ channel: 'G1', channel_type: 'mpim' }), 'group');
  assert.equal(kindOf({ channel: 'G2', channel_type: 'channel' }), 'group');
  assert.equal(kindOf({ channel: 'G3', channel_type: 'group' }), 'group');
  assert.equal(kindOf({ channel: 'D3', channel_type: 'im' }), 'dm');
  assert.equal(kindOf({ channel: 'D3', channel_type: 'app_home' }), 'dm');
  assert.equal(must(asMention({ text: '<@UBOT>', channel: 'D3' })).chat.kind, 'dm');
  assert.deepEqual(must(inChannel({ text: 'x' })).chat, { id: 'C1', kind: 'group', title: 'general' });
});

test('who speaks, and what is not said by anybody', () => {
  const senderOf = (fields: object) => must(inChannel({ text: 'x', ...fields })).sender;
  assert.deepEqual(senderOf({ user: 'W8' }), { id: 'W8', name: '', isBot: false });
  assert.deepEqual(senderOf({ bot_id: 'B9', user: 'U9', app_id: 'A9' }), { id: 'U9', name: 'builder', isBot: true });
  assert.deepEqual(senderOf({ subtype: 'bot_message', bot_id: 'B7', user: undefined, username: 'CI\u202e' }), {
    id: 'B7',
    name: 'CI',
    isBot: true,
  });
  const silent: object[] = [
    { user: 'UBOT' },
    { bot_id: 'BBOT', user: 'U1' },
    { user: 'USLACKBOT' },
    { user: 'USLACKBOT', subtype: 'huddle_thread', room: { id: 'R1', participants: ['U1'] } },
    { subtype: 'group_join' },
    { subtype: 'channel_name', name: 'new' },
    { streaming_state: 'in_progress', bot_id: 'B9' },
    { subtype: 'channel_join' },
    { subtype: 'channel_topic' },
    { subtype: 'pinned_item' },
    { subtype: 'message_replied', hidden: true },
    { subtype: 'ekm_access_denied' },
    { subtype: 'assistant_app_thread' },
    { subtype: 'brand_new_notice' },
    { hidden: true },
  ];
  for (const fields of silent) assert.equal(read(inChannel({ text: 'x', ...fields })), null, JSON.stringify(fields));
  assert.equal(must(inChannel({ text: 'waves', subtype: 'me_message' })).text, 'waves');
});

test('an edit is one when the words changed', () => {
  const edit = must(changed({ text: 'a' }, { text: 'b', edited: { user: 'U1', ts: '1764500030.000000' } }));
  assert.deepEqual([edit.kind, edit.id, edit.text, edit.sentAt, edit.topic], ['edit', TS, 'b', 1_764_500_030_000, TS]);
  const nothing: [object, object][] = [
    [{ text: 'a' }, { text: 'a', attachments: [{ title: 'preview' }] }],
    [{ text: 'a' }, { text: 'a', thread_ts: TS, reply_count: 1 }],
    [
      { text: '', files: [{ id: 'F1' }] },
      { text: '', files: [{ id: 'F1', transcription: { status: 'complete' } }] },
    ],
    [
      { text: 'a', user: 'UBOT' },
      { text: 'b', user: 'UBOT' },
    ],
    [
      { text: 'a', bot_id: 'BBOT' },
      { text: 'b', bot_id: 'BBOT' },
    ],
  ];
  for (const [before, after] of nothing) assert.equal(read(changed(before, after)), null, JSON.stringify(after));
});

test('a deletion takes a message back, whichever way Slack tells it', () => {
  const deletion = (previous: object) =>
    read(
      around({
        type: 'message',
        subtype: 'message_deleted',
        channel: 'C1',
        channel_type: 'channel',
        hidden: true,
        ts: LATER,
        deleted_ts: TS,
        previous_message: { type: 'message', user: 'U1', text: 'x', ts: TS, ...previous },
      }),
    );
  assert.deepEqual(
    [deletion({})?.kind, deletion({})?.id, deletion({})?.topic, deletion({ thread_ts: '1.000001' })?.topic],
    ['recall', TS, TS, '1.000001'],
  );
  assert.equal(deletion({ user: 'UBOT' }), null);
  const root = read(
    changed({ text: 'x', thread_ts: TS }, { subtype: 'tombstone', user: 'USLACKBOT', text: 'gone', thread_ts: TS }),
  );
  assert.deepEqual([root?.kind, root?.id, root?.sender.id], ['recall', TS, 'U1']);
});

test('somebody in an organisation is one user, whichever of its workspaces an event names', () => {
  const elsewhere = around(
    { type: 'message', user: 'W1', ts: TS, channel: 'C1', channel_type: 'channel', text: 'x', user_team: 'T9' },
    { team_id: 'E1', authorizations: [{ team_id: 'T2', user_id: 'UBOT', is_enterprise_install: true }] },
  );
  assert.deepEqual([must(elsewhere).tenant, must(elsewhere).sender.id], ['T1', 'W1']);
  const guest = { user: 'U77', user_team: 'T9', user_profile: { display_name: 'Eve\u202e', real_name: 'Eve Other' } };
  assert.deepEqual(must(inChannel({ text: 'hi', ...guest })).sender, { id: 'U77', name: 'Eve', isBot: false });
  const { authorizations: _, ...body } = inDm({ text: 'x' }).body as Record<string, unknown>;
  assert.equal(must({ kind: 'event', body }).tenant, 'T1');
});

test('the longest message there is stays whole', () => {
  const text = '👨‍👩‍👧 שלום 🇩🇪 '.repeat(3_000).slice(0, 40_000).toWellFormed();
  assert.equal(must(inDm({ text })).text, text);
});
