import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { around, changed, command, inChannel, inDm, LATER, press, shortcut, TS } from '../fixtures/events.ts';
import { must, read } from '../fixtures/read.ts';
import { idsIn } from './ids.ts';

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
  for (const type of ['view_submission', 'view_closed', 'block_suggestion', 'shortcut']) {
    assert.equal(read(press({ type })), null);
  }
});

test('an overflow menu, a late press and a press by somebody else say what was chosen and by whom', () => {
  const overflow = { action_id: 'x', type: 'overflow', selected_option: { value: 'later' }, action_ts: LATER };
  const other = { id: 'U2', username: 'bob', team_id: 'T9' };
  const pressed = must(press({ actions: [overflow], user: other }));
  assert.deepEqual([pressed.text, pressed.sender], ['later', { id: 'U2', name: 'Bob', isBot: false }]);
  const unseen = must(press({ message: undefined }));
  assert.deepEqual([unseen.quote?.messageId, unseen.quote?.text], [TS, '']);
});

test('a shortcut in a message’s menu asks about that message, in its thread', () => {
  const asked = must(shortcut());
  assert.deepEqual(
    [asked.kind, asked.id, asked.topic, asked.addressed, asked.sender.name, asked.text],
    ['message', 'shortcut/1.2.3', TS, 'command', 'Ann Lee', '[asks about this message]'],
  );
  assert.deepEqual(asked.quote, { messageId: TS, author: 'Bob', fromBot: false, text: 'the @Ann Lee plan', files: [] });
  const inThread = { type: 'message', bot_id: 'BBOT', ts: TS, thread_ts: '1.000001', text: 'mine' };
  const own = must(shortcut({ message: inThread, channel: { id: 'D1', name: 'directmessage' } }));
  assert.deepEqual([own.topic, own.addressed, own.quote?.fromBot], ['1.000001', 'dm', true]);
  assert.equal(read(shortcut({ message: undefined })), null);
});

test('slash commands are commands where they name one, and questions where they do not', () => {
  const table: [string, string][] = [
    ['', '/help'],
    ['new', '/new'],
    ['/new', '/new'],
    ['/New', '/New'],
    ['New topic please', 'New topic please'],
    ['model small', '/model small'],
    ['model trains are great', 'model trains are great'],
    ['/broadcast we move tomorrow', '/broadcast we move tomorrow'],
    ['who wrote Faust?', 'who wrote Faust?'],
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
    'channel_rename',
    'subteam_updated',
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
  const ids = idsIn(
    inChannel({ text: '<@U2> <#C5> <#C6|named> <@U7|seven> <!subteam^S1> <!subteam^S2|@two>', attachments: [share] }),
  );
  assert.deepEqual(
    [ids.users.sort(), ids.channels.sort(), ids.groups],
    [['U1', 'U2', 'U3', 'U4'], ['C1', 'C5'], ['S1']],
  );
  assert.deepEqual(idsIn(press()), { users: ['U1', 'UBOT'], channels: ['C1'], groups: [] });
  assert.deepEqual(idsIn(command('x')), { users: ['U1'], channels: ['C1'], groups: [] });
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
        shortcut(fields(one)),
        command('x', fields(one)),
      ]) {
        read(handout);
        idsIn(handout);
      }
    }),
    { numRuns: 300 },
  );
});
