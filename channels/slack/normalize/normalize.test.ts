import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InboundMessage } from '../../../src/channel/message.ts';
import {
  around,
  asMention,
  bot,
  changed,
  command,
  inChannel,
  inDm,
  LATER,
  names,
  press,
  richText,
  TS,
} from '../fixtures/events.ts';
import type { Handout } from './handout.ts';
import { idsIn } from './ids.ts';
import { normalize } from './index.ts';

const context = { channel: 'sl', bot, names, now: 1_764_500_100_000 };
const read = (handout: Handout): InboundMessage | null => normalize(handout, context);
function must(handout: Handout): InboundMessage {
  const message = read(handout);
  assert.ok(message !== null, JSON.stringify(handout));
  return message;
}

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

test('what Slack writes for people, channels and links reads as it was typed', () => {
  const table: [string, string][] = [
    ['&lt;script&gt; &amp;amp; &amp;lt;', '<script> &amp; &lt;'],
    ['see <https://a.b/?x=1&amp;y=2|label>', 'see label (https://a.b/?x=1&y=2)'],
    ['<https://a.b/c_d>', 'https://a.b/c_d'],
    ['<http://example.com|example.com>', 'example.com'],
    ['<mailto:a@b.de|a@b.de> <tel:+491234|+49 1234>', 'a@b.de +49 1234 (tel:+491234)'],
    ['<#C1|general> <#C1> <#C1|> <#C7|>', '#general #general #general #C7'],
    ['<!here> <!channel|channel> <!everyone>', '@here @channel @everyone'],
    ['<!subteam^S1|@ops> <!subteam^S1>', '@ops @S1'],
    ['<!date^1392734382^{date}|Feb 18, 2014>', 'Feb 18, 2014'],
    ['ask <@U2> or <@U7> or <@W8|eve>', 'ask @Bob or @U7 or @eve'],
    ['a &lt;b 1<2', 'a <b 1<2'],
    ['👨‍👩‍👧 𠮷 \u202eabc', '👨‍👩‍👧 𠮷 \u202eabc'],
    ['<> <|> <@>', '<>  @?'],
  ];
  for (const [source, text] of table) assert.equal(must(inDm({ text: source })).text, text, source);
  assert.deepEqual(must(inDm({ text: '<@U2> <@U2|bob> <@UBOT> <@U7>' })).mentions, [
    { id: 'U2', name: 'Bob' },
    { id: 'U7', name: 'U7' },
  ]);
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

test('what has no text is read from blocks and attachments', () => {
  const list = {
    type: 'rich_text_list',
    style: 'bullet',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: 'a < b' }] },
      {
        type: 'rich_text_section',
        elements: [
          { type: 'user', user_id: 'U2' },
          { type: 'emoji', name: 'wave' },
        ],
      },
    ],
  };
  const blocks = [
    {
      type: 'rich_text',
      elements: [
        list,
        { type: 'rich_text_quote', elements: [{ type: 'link', url: 'https://h/?a&b', text: 'doc' }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x = 1' }] },
      ],
    },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Build* failed' },
      fields: [{ type: 'mrkdwn', text: 'on main' }],
    },
    { type: 'header', text: { type: 'plain_text', text: 'Head' } },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'by CI' },
        { type: 'image', alt_text: 'x' },
      ],
    },
    { type: 'image', alt_text: 'graph' },
    { type: 'brand_new' },
  ];
  assert.equal(
    must(inDm({ text: '', blocks })).text,
    '• a < b\n• @Bob:wave:\n> doc (https://h/?a&b)\n```\nx = 1\n```\n*Build* failed\non main\nHead\nby CI\n[image graph]',
  );
  const alert = { title: 'Disk full', text: 'host-1 &amp; host-2', fallback: 'no' };
  assert.equal(must(inDm({ text: '', attachments: [alert] })).text, 'Disk full\nhost-1 & host-2');
  assert.equal(must(inDm({ text: 'see <https://h>', attachments: [alert] })).text, 'see https://h');
  assert.equal(must(inDm({ text: '' })).text, '[message]');
});

test('a shared message is a quote with its author', () => {
  const share = {
    is_share: true,
    ts: '1764400000.000100',
    author_id: 'U2',
    author_name: 'bob',
    text: 'the <@U1> plan',
    files: [{ id: 'F1', name: 'plan.pdf', mimetype: 'application/pdf' }],
  };
  const alone = must(inDm({ text: '', attachments: [share] }));
  assert.deepEqual([alone.text, alone.forwardedFrom], ['[shared message]', 'Bob']);
  assert.deepEqual(alone.quote, {
    messageId: '1764400000.000100',
    author: 'Bob',
    fromBot: false,
    text: 'the @Ann Lee plan',
    files: [{ id: 'F1', kind: 'file', name: 'plan.pdf', mime: 'application/pdf' }],
  });
  const withWords = must(inDm({ text: 'what of this?', attachments: [{ ...share, author_id: 'UBOT' }] }));
  assert.deepEqual(
    [withWords.text, withWords.quote?.fromBot, withWords.forwardedFrom],
    ['what of this?', true, undefined],
  );
  const inner = {
    ...share,
    text: '',
    message_blocks: [{ team: 'T1', message: { blocks: [richText({ type: 'text', text: 'deep' })] } }],
  };
  assert.equal(must(inDm({ text: '', attachments: [inner] })).quote?.text, 'deep');
});

test('files are listed, and say what they are where nothing else is said', () => {
  const table: [object, string, string[]][] = [
    [{ id: 'F1', name: 'cat.png', mimetype: 'image/png', size: 9 }, '[image cat.png]', ['image F1 cat.png 9']],
    [
      { id: 'F2', name: 'a.webm', mimetype: 'audio/webm', subtype: 'slack_audio' },
      '[voice a.webm]',
      ['voice F2 a.webm ?'],
    ],
    [{ id: 'F3', name: 'v.mp4', mimetype: 'video/mp4' }, '[video v.mp4]', ['video F3 v.mp4 ?']],
    [{ id: 'F4', title: 'Plan', filetype: 'quip', mode: 'quip' }, '[file Plan]', ['file F4 Plan ?']],
    [{ id: 'F5', filetype: 'canvas' }, '[file F5.canvas]', ['file F5 F5.canvas ?']],
    [{ id: 'F6', file_access: 'check_file_info' }, '[file F6]', ['file F6 F6 ?']],
    [{ id: 'F7', mode: 'tombstone' }, '[file no longer available]', []],
    [{ id: 'F8', mode: 'hidden_by_limit', name: 'x' }, '[file no longer available]', []],
    [
      { id: 'F9', name: '../\u202eevil\n.png', mimetype: 'image/png' },
      '[image ../ evil .png]',
      ['image F9 ../ evil .png ?'],
    ],
  ];
  for (const [file, text, files] of table) {
    const message = must(inDm({ subtype: 'file_share', text: '', files: [file] }));
    assert.equal(message.text, text);
    assert.deepEqual(
      message.files.map(({ kind, id, name, bytes }) => `${kind} ${id} ${name} ${bytes ?? '?'}`),
      files,
    );
  }
  const two = must(inDm({ subtype: 'file_share', text: 'both', files: [table[0]?.[0], table[2]?.[0]] }));
  assert.deepEqual([two.text, two.files.length], ['both', 2]);
});

test('who speaks, and what is not said by anybody', () => {
  const senderOf = (fields: object) => must(inChannel({ text: 'x', ...fields })).sender;
  assert.deepEqual(senderOf({ user: 'W8' }), { id: 'W8', name: 'W8', isBot: false });
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

test('an organisation of many workspaces, and guests of another one', () => {
  const elsewhere = around(
    { type: 'message', user: 'W1', ts: TS, channel: 'C1', channel_type: 'channel', text: 'x', user_team: 'T9' },
    { team_id: 'E1', authorizations: [{ team_id: 'T2', user_id: 'UBOT', is_enterprise_install: true }] },
  );
  assert.deepEqual([must(elsewhere).tenant, must(elsewhere).sender.id], ['T2', 'W1']);
  const { authorizations: _, ...body } = inDm({ text: 'x' }).body as Record<string, unknown>;
  assert.equal(must({ kind: 'event', body }).tenant, 'T1');
});

test('reactions, comings and goings', () => {
  const reaction = (fields: object) =>
    read(
      around({
        ...{ type: 'reaction_added', user: 'U1', reaction: 'thumbsup', item_user: 'UBOT', event_ts: LATER },
        item: { type: 'message', channel: 'C1', ts: TS },
        ...fields,
      }),
    );
  const added = reaction({});
  assert.deepEqual(
    [added?.kind, added?.text, added?.addressed, added?.quote?.messageId],
    ['reaction', ':thumbsup:', 'reply', TS],
  );
  assert.equal(reaction({ type: 'reaction_removed' })?.text, '[removed :thumbsup:]');
  assert.equal(reaction({ item_user: 'U2' })?.addressed, 'none');
  assert.equal(reaction({ user: 'UBOT' }), null);
  assert.equal(reaction({ item: { type: 'file', file: 'F1' } }), null);
  const member = (fields: object) =>
    read(
      around({
        type: 'member_joined_channel',
        user: 'U2',
        channel: 'C1',
        channel_type: 'C',
        event_ts: LATER,
        ...fields,
      }),
    );
  assert.deepEqual([member({})?.kind, member({})?.text], ['joined', 'Bob']);
  const own = member({ user: 'UBOT', inviter: 'U1' });
  assert.deepEqual([own?.sender.name, own?.mentions], ['Ann Lee', [{ id: 'UBOT', name: 'antler' }]]);
  assert.equal(member({ type: 'member_left_channel' })?.kind, 'left');
});

test('a press of a button carries its value and where it was', () => {
  const message = must(press());
  assert.deepEqual(
    [message.kind, message.text, message.addressed, message.topic, message.quote?.messageId, message.quote?.text],
    ['action', 'yes', 'reply', '1764499999.000100', TS, 'Sure?'],
  );
  assert.equal(
    must(press({ channel: { id: 'D1', name: 'directmessage' }, container: { channel_id: 'D1', message_ts: TS } }))
      .addressed,
    'dm',
  );
  const chosen = { action_id: 'x', type: 'static_select', selected_option: { value: 'blue' }, action_ts: LATER };
  assert.equal(must(press({ actions: [chosen] })).text, 'blue');
  assert.equal(read(press({ container: { type: 'view' }, message: undefined, channel: undefined })), null);
  for (const type of ['view_submission', 'view_closed', 'block_suggestion', 'shortcut', 'message_action']) {
    assert.equal(read(press({ type })), null);
  }
});

test('slash commands are commands where they name one, and questions where they do not', () => {
  const table: [string, string][] = [
    ['', '/help'],
    ['new', '/new'],
    ['/new', '/new'],
    ['New topic please', '/new topic please'],
    ['stop', '/stop'],
    ['what is &lt;this&gt;?', 'what is <this>?'],
    ['newest figures?', 'newest figures?'],
  ];
  for (const [text, expected] of table) assert.equal(must(command(text)).text, expected, text);
  const own = must(command('now', { command: '/stop' }));
  assert.deepEqual([own.text, own.addressed, own.topic, own.id], ['/stop now', 'command', undefined, 'command/1.2.3']);
  assert.equal(must(command('hi', { channel_id: 'D1', channel_name: 'directmessage' })).addressed, 'dm');
  assert.equal(must(command('hi', { user_id: 'U5' })).sender.name, 'ann');
});

test('what nobody said to anybody is nothing', () => {
  const types = [
    'app_home_opened',
    'assistant_thread_started',
    'assistant_thread_context_changed',
    'tokens_revoked',
    'app_uninstalled',
    'user_change',
    'brand_new',
  ];
  for (const type of types) assert.equal(read(around({ type, channel: 'D1', user: 'U1' })), null, type);
  const bodies: unknown[] = [
    null,
    'x',
    [],
    {},
    { type: 'app_rate_limited' },
    { type: 'event_callback' },
    { type: 'event_callback', event: 5 },
  ];
  for (const body of bodies) {
    for (const kind of ['event', 'interactive', 'command'] as const) assert.equal(read({ kind, body }), null);
  }
});

test('whose names are needed is known before', () => {
  const share = { author_id: 'U3', text: '<@U4>' };
  const ids = idsIn(inChannel({ text: '<@U2> <#C5> <#C6|named> <@U7|seven>', attachments: [share] }));
  assert.deepEqual(
    [ids.users.sort(), ids.channels.sort()],
    [
      ['U1', 'U2', 'U3', 'U4'],
      ['C1', 'C5'],
    ],
  );
  assert.deepEqual(idsIn(press()), { users: ['U1', 'UBOT'], channels: ['C1'] });
  assert.deepEqual(idsIn(command('x')), { users: ['U1'], channels: ['C1'] });
  assert.deepEqual(idsIn(inDm({ text: 'x' })).channels, []);
});

test('no payload at all can make it throw', () => {
  const field = fc.constantFrom(
    ...[
      'message',
      'previous_message',
      'channel',
      'user',
      'text',
      'blocks',
      'elements',
      'attachments',
      'files',
      'ts',
      'thread_ts',
    ],
    ...['type', 'subtype', 'event', 'actions', 'container', 'edited', 'item', 'message_blocks'],
  );
  const word = fc.constantFrom(
    'message',
    'rich_text',
    'rich_text_section',
    'message_changed',
    TS,
    'C1',
    '<@UBOT> <',
    'tombstone',
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      word,
      fc.dictionary(field, tie('tree')),
      fc.array(tie('tree'), { maxLength: 2 }),
    ),
  }));
  const fields = (value: unknown): object => (typeof value === 'object' && value !== null ? value : { text: value });
  fc.assert(
    fc.property(tree, tree, (one, other) => {
      for (const kind of ['event', 'interactive', 'command'] as const) read({ kind, body: one });
      for (const handout of [
        inChannel(fields(one)),
        inDm({ blocks: one, attachments: other }),
        around(fields(one)),
        changed(fields(one), fields(other)),
        press(fields(one)),
        command('x', fields(one)),
      ]) {
        read(handout);
        idsIn(handout);
      }
    }),
    { numRuns: 300 },
  );
});
