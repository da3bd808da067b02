import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InboundMessage } from '../../../../src/channel/message.ts';
import { ann, bob, bot, direct, inRoom, kinds, membership } from '../fixtures/facts.ts';
import type { MembershipFacts, MessageFacts } from './facts.ts';
import { type Heard, normalize } from './index.ts';

const context = { channel: 'wx', now: 1_764_500_100_000 };
const read = (facts: MessageFacts): InboundMessage | null => normalize({ kind: 'message', facts }, context);
const readMembership = (facts: MembershipFacts) => normalize({ kind: 'membership', facts }, context);
function must(facts: MessageFacts): InboundMessage {
  const message = read(facts);
  assert.ok(message !== null, JSON.stringify(facts));
  return message;
}

test('a direct message has everything that the rest of Antler needs', () => {
  assert.deepEqual(must(direct()), {
    channel: 'wx',
    channelType: 'wechat',
    tenant: '',
    chat: { id: ann.id, kind: 'dm' },
    id: 'm1',
    kind: 'message',
    sender: { id: ann.id, name: 'Ann', isBot: false },
    sentAt: 1_764_500_000_000,
    text: 'hello',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
});

test('in a room it counts how the bot is addressed', () => {
  const me = [bot.id];
  const table: [string, Parameters<typeof inRoom>, string, string][] = [
    ['nobody', [{ text: 'lunch?' }], 'none', 'lunch?'],
    ['by id', [{ text: '@Helper\u2005do it', mentionIdList: me }], 'mention', 'do it'],
    ['by the alias alone', [{ text: '@Helper\u2005do it' }], 'mention', 'do it'],
    ['by the name alone', [{ text: '@Antler\u2005do it' }], 'mention', 'do it'],
    ['from a desktop, with a blank', [{ text: '@Helper do it' }], 'mention', 'do it'],
    ['at the end', [{ text: 'do it @Helper' }], 'mention', 'do it'],
    ['at the end as the apps write it', [{ text: 'do it @Helper\u2005', mentionIdList: me }], 'mention', 'do it'],
    ['inside', [{ text: 'can @Helper\u2005do it?' }], 'mention', 'can @Helper do it?'],
    ['with a comma', [{ text: '@Helper，帮我' }], 'mention', '帮我'],
    ['nothing but the name', [{ text: '@Helper\u2005' }], 'mention', ''],
    ['a longer name', [{ text: '@Helperine\u2005do it' }], 'none', '@Helperine do it'],
    ['a name that grew', [{ text: '@Old Name\u2005do it', mentionIdList: me }], 'mention', 'do it'],
    ['somebody else', [{ text: '@Bob\u2005do it', mentionIdList: [bob.id] }], 'none', '@Bob do it'],
    [
      'somebody else of the same name',
      [{ text: '@Helper\u2005do it', mentionIdList: [bob.id] }],
      'none',
      '@Helper do it',
    ],
    ['one of two of the name', [{ text: '@Helper\u2005do it' }, { namesakes: 2 }], 'none', '@Helper do it'],
    [
      'with others',
      [{ text: '@Bob\u2005@Helper\u2005do it', mentionIdList: [bob.id, bot.id] }],
      'mention',
      '@Bob @Helper do it',
    ],
    ['everybody', [{ text: '@所有人\u2005hi' }], 'all', '@所有人 hi'],
    ['everybody by id', [{ text: '@All\u2005hi', mentionIdList: ['announcement@all'] }], 'all', '@All hi'],
    ['everybody and the bot', [{ text: '@所有人 @Helper\u2005hi' }], 'mention', '@所有人 @Helper hi'],
    [
      'an alias that a pattern would choke on',
      [{ text: '@(.*)\u2005do it' }, { ownAlias: '(.*)' }],
      'mention',
      'do it',
    ],
    [
      'an alias with blanks',
      [{ text: '@File Transfer\u2005write' }, { ownAlias: 'File Transfer' }],
      'mention',
      'write',
    ],
    ['a command', [{ text: '@Helper\u2005/new' }], 'mention', '/new'],
    ['a longer word', [{ text: 'at @Antlers.example' }], 'none', 'at @Antlers.example'],
    ['an address of mail', [{ text: 'mail me@Antler.example' }], 'none', 'mail me@Antler.example'],
    ['right behind a word', [{ text: '帮我@Helper' }], 'mention', '帮我'],
  ];
  for (const [name, facts, addressed, text] of table) {
    const found = must(inRoom(...facts));
    assert.deepEqual([found.addressed, found.text], [addressed, text], name);
  }
});

test('in a room people go by what they are called there', () => {
  const message = must(
    inRoom({ mentionIdList: [bob.id, bot.id] }, { mentioned: [{ ...bob, name: 'Bobby\u202e' }, bot] }),
  );
  assert.deepEqual(message.sender, { id: ann.id, name: 'Annie', isBot: false });
  assert.deepEqual(message.chat, { id: '1@chatroom', kind: 'group', title: 'Team' });
  assert.deepEqual(message.mentions, [{ id: bob.id, name: 'Bobby' }]);
});

test('who cannot be looked up is known by the id, and called by no name', () => {
  const lost = must(direct({ roomId: '1@chatroom', text: '@Antler\u2005hi' }, { talker: {}, room: {} as never }));
  assert.deepEqual([lost.sender.name, lost.chat, lost.addressed], ['', { id: '1@chatroom', kind: 'group' }, 'mention']);
});

const rule = '- - - - - - - - - - - - - - -';

test('a quote stands in the text, and is taken apart from it', () => {
  const table: [string, MessageFacts, unknown[]][] = [
    ['plain', inRoom({ text: `「Bob：my cat」\n${rule}\nnice` }), ['nice', 'Bob', 'my cat', false, 'none']],
    ['of the bot', inRoom({ text: `「Helper：done」\n${rule}\nthanks` }), ['thanks', 'Helper', 'done', true, 'reply']],
    [
      'with a mention',
      inRoom({ text: `「Bob：x」\n${rule}\n@Helper\u2005why?` }),
      ['why?', 'Bob', 'x', false, 'mention'],
    ],
    [
      'of a quote',
      inRoom({ text: `「Bob：「Ann：x」\n${rule}\ny」\n${rule}\nz` }),
      ['z', 'Bob', `「Ann：x」\n${rule}\ny`, false, 'none'],
    ],
    ['cut short', inRoom({ text: `「Bob：「Ann：x…」\n${rule}\nz` }), ['z', 'Bob', '「Ann：x…', false, 'none']],
    ['of several lines', direct({ text: `「Bob: a\nb」\n- - -\nc\nd` }), ['c\nd', 'Bob', 'a\nb', false, 'dm']],
    ['without an author', direct({ text: `「my cat」\n${rule}\nnice` }), ['nice', undefined, 'my cat', false, 'dm']],
    [
      'an imitation of two',
      direct({ text: `「A：1」\n${rule}\n「B：2」\n${rule}\nx` }),
      [`「B：2」\n${rule}\nx`, 'A', '1', false, 'dm'],
    ],
  ];
  for (const [name, facts, expected] of table) {
    const { text, quote, addressed } = must(facts);
    assert.deepEqual([text, quote?.author, quote?.text, quote?.fromBot, addressed], expected, name);
  }
  for (const text of ['「just brackets」', `「no end\n${rule}\nx`, `text 「A：x」\n${rule}\ny`])
    assert.deepEqual([must(direct({ text })).text, must(direct({ text })).quote], [text, undefined]);
});

test('a mention inside a quote addresses nobody', () => {
  assert.equal(must(inRoom({ text: `「Bob：@Helper\u2005do it」\n${rule}\nI disagree` })).addressed, 'none');
});

test('every kind of content says something, and files are listed', () => {
  const xml = '<msg><emoji md5="x"/></msg>';
  const table: [string, Parameters<typeof direct>, string, string[]][] = [
    ['image', [{ type: kinds.image, text: '<img/>' }], '[image]', ['image m1 image-m1.jpg']],
    ['voice', [{ type: kinds.audio, text: '' }], '[voice voice-m1.sil]', ['voice m1 voice-m1.sil']],
    ['video', [{ type: kinds.video }], '[video video-m1.mp4]', ['video m1 video-m1.mp4']],
    ['file', [{ type: kinds.attachment, filename: '报告.pdf' }], '[file 报告.pdf]', ['file m1 报告.pdf']],
    [
      'file with a path',
      [{ type: kinds.attachment, filename: '../../etc/passwd' }],
      '[file passwd]',
      ['file m1 passwd'],
    ],
    ['file without a name', [{ type: kinds.attachment }], '[file file-m1]', ['file m1 file-m1']],
    ['sticker', [{ type: kinds.emoticon, text: xml }], '[sticker]', []],
    [
      'link',
      [{ type: kinds.url, text: xml }, { card: { title: 'News', url: 'https://h/x' } }],
      '[link News, https://h/x]',
      [],
    ],
    ['broken link', [{ type: kinds.url, text: xml }], '[link]', []],
    [
      'link that is none',
      [{ type: kinds.url, text: '' }, { card: { title: 'x', url: 'javascript:1' } }],
      '[link x]',
      [],
    ],
    ['mini program', [{ type: kinds.miniProgram, text: xml }, { card: { title: 'Shop' } }], '[mini program Shop]', []],
    ['contact', [{ type: kinds.contact, text: xml }, { card: { title: 'Eve' } }], '[contact Eve]', []],
    ['chat history', [{ type: kinds.chatHistory, text: xml }], '[chat history]', []],
    [
      'location',
      [{ type: kinds.location }, { card: { title: 'Zoo', address: 'Road 1', latitude: 52.5, longitude: 13.4 } }],
      '[location Zoo, Road 1, 52.5, 13.4]',
      [],
    ],
    [
      'location in XML',
      [
        { type: kinds.location, text: '<msg><location x="1" label="Road 1" poiname="Zoo"/></msg>' },
        { card: { title: 'NONAME', address: 'NOADDRESS', latitude: 0, longitude: 0 } },
      ],
      '[location Zoo, Road 1]',
      [],
    ],
    ['red packet', [{ type: kinds.redEnvelope, text: xml }], '[red packet]', []],
    ['transfer', [{ type: kinds.transfer, text: xml }], '[transfer]', []],
    ['note', [{ type: kinds.groupNote, text: 'Rules' }], '[group note Rules]', []],
    ['post', [{ type: kinds.post, text: xml }], '[post]', []],
    ['unknown', [{ type: kinds.unknown, text: 'something' }], '[message]', []],
    ['a kind of the future', [{ type: 99, text: 'something' }], '[message]', []],
    ['codes of faces', [{ text: '好的[微笑]' }], '好的[微笑]', []],
  ];
  for (const [name, facts, text, files] of table) {
    const message = must(direct(...facts));
    assert.equal(message.text, text, name);
    assert.deepEqual(
      message.files.map((file) => `${file.kind} ${file.id} ${file.name}`),
      files,
      name,
    );
  }
});

test('what nobody said to anybody is nothing', () => {
  const table: [string, MessageFacts][] = [
    ['the bot’s own, from a phone too', direct({ talkerId: bot.id })],
    ['the bot’s own in a room', inRoom({ talkerId: bot.id })],
    ['an unknown kind without a text', direct({ type: kinds.unknown, text: '' })],
    ['a notice', direct({ type: kinds.unknown, text: '你已添加了Ann，现在可以开始聊天了。' })],
    ['a notice as text', direct({ text: 'You have added Ann as your WeChat contact. Start chatting!' })],
    ['a pat', inRoom({ type: kinds.unknown, text: '<sysmsg type="pat"><pat/></sysmsg>' })],
    ['a pat as text', inRoom({ text: '"Ann" 拍了拍 "Bob"' })],
    ['an empty text', direct({ text: ' \n ' })],
    ['a recall of nobody knows what', direct({ type: kinds.recalled, text: '' })],
    ['nobody', direct({ talkerId: '' })],
  ];
  for (const [name, facts] of table) assert.equal(read(facts), null, name);
});

test('WeChat itself and official accounts are no people', () => {
  assert.equal(must(direct({}, { talker: { name: 'News', type: 2 } })).sender.isBot, true);
  assert.equal(must(direct({ talkerId: 'weixin' })).sender.isBot, true);
  assert.equal(must(direct({}, { talker: { name: 'Eve of a company', type: 3 } })).sender.isBot, false);
});

test('a message that is taken back is known by its own id', () => {
  const recall = must(direct({ type: kinds.recalled, id: 'm2', text: 'm1' }));
  assert.deepEqual([recall.kind, recall.id, recall.chat.id, recall.text], ['recall', 'm1', ann.id, '']);
  const xml = '<sysmsg type="revokemsg"><revokemsg><msgid>7</msgid><newmsgid>8123</newmsgid></revokemsg></sysmsg>';
  assert.equal(must(inRoom({ type: kinds.recalled, text: xml })).id, '8123');
});

test('times are in seconds or milliseconds, or not told at all', () => {
  const at = (timestamp: number) => must(direct({ timestamp })).sentAt;
  assert.deepEqual(
    [at(1_764_500_000), at(1_764_500_000_123), at(0), at(Number.NaN)],
    [1_764_500_000_000, 1_764_500_000_123, context.now, context.now],
  );
});

test('comings and goings', () => {
  const joined = readMembership(membership());
  assert.deepEqual(
    [joined?.kind, joined?.text, joined?.mentions, joined?.sender, joined?.chat],
    [
      'joined',
      'Bob',
      [{ id: bob.id, name: 'Bob' }],
      { id: ann.id, name: 'Ann', isBot: false },
      { id: '1@chatroom', kind: 'group', title: 'Team' },
    ],
  );
  const removed = readMembership(membership({ kind: 'left', people: [bot] }));
  assert.deepEqual([removed?.kind, removed?.mentions], ['left', [{ id: bot.id, name: 'Antler' }]]);
});

test('whatever wechaty tells, nothing is thrown and every id is a text', () => {
  const anything = fc.anything();
  const facts = fc.record({
    account: fc.oneof(fc.constant(bot), anything),
    message: fc.oneof(
      fc.record(
        {
          id: fc.oneof(fc.string(), anything),
          type: fc.oneof(fc.nat(20), anything),
          talkerId: fc.oneof(fc.string(), anything),
          roomId: fc.oneof(fc.string(), anything),
          text: fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^「?[@「」：\n\u2005 a-]*$/), anything),
          timestamp: fc.oneof(fc.double(), anything),
          filename: fc.oneof(fc.string({ unit: 'binary' }), anything),
          mentionIdList: fc.oneof(fc.array(fc.string()), anything),
        },
        { requiredKeys: [] },
      ),
      anything,
    ),
    talker: fc.oneof(fc.record({ name: fc.oneof(fc.string({ unit: 'binary' }), anything), type: anything }), anything),
    room: fc.option(fc.record({ topic: anything, ownAlias: anything, mentioned: anything }), { nil: undefined }),
    card: anything,
  });
  const heard: fc.Arbitrary<Heard> = fc.record({
    kind: fc.constantFrom('message' as const, 'membership' as const),
    facts: fc.oneof(facts, anything),
  });
  fc.assert(
    fc.property(heard, (one) => {
      const message = normalize(one, context);
      if (message === null) return;
      assert.ok(message.id !== '' && message.chat.id !== '' && message.sender.id !== '');
      assert.ok(Number.isFinite(message.sentAt));
      assert.doesNotMatch(message.sender.name, /[\n\u202e]/);
      JSON.stringify(message);
    }),
    { numRuns: 1_500 },
  );
});

test('a hostile text takes no time', () => {
  const began = performance.now();
  for (const text of [
    '「'.repeat(50_000),
    `「a」\n${'- '.repeat(50_000)}`,
    '」\n- - -'.repeat(20_000),
    '@Helper'.repeat(20_000),
  ])
    must(inRoom({ text }));
  must(inRoom({ text: `「${'」\n- -'.repeat(20_000)}` }));
  assert.ok(performance.now() - began < 2_000);
});
