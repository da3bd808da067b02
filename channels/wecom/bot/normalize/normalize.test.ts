import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { direct, event, inGroup, picture, pressed } from '../../fixtures/bot.ts';
import { readFileId } from '../file-id.ts';
import { normalize } from './index.ts';
import { withoutMention } from './mention.ts';

const context = { channel: 'wecom', botName: undefined, now: 42 };
const read = (body: unknown) => normalize(body, context);

test('a text to the bot alone', () => {
  assert.deepEqual(read(direct), {
    channel: 'wecom',
    channelType: 'wecom',
    tenant: '',
    chat: { id: 'zhangsan', kind: 'dm' },
    id: 'CAIQ16HMjQYY0001',
    kind: 'message',
    sender: { id: 'zhangsan', name: '', isBot: false },
    sentAt: 1_700_000_000_000,
    text: 'hello robot',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
});

test('a text in a group has lost the mention of the bot', () => {
  const message = read(inGroup);
  assert.deepEqual(
    [message?.text, message?.addressed, message?.chat],
    ['hello', 'mention', { id: 'wrkSFfCgAA0001', kind: 'group' }],
  );
});

test('a mention is cut however it is written, and nothing else is', () => {
  const cases: [string, string | undefined, string][] = [
    ['@RobotA hello', undefined, 'hello'],
    ['@RobotA\u2005/new', undefined, '/new'],
    ['＠RobotA\u00a0你好', undefined, '你好'],
    ['@RobotA', undefined, ''],
    ['mail ann@example.com', undefined, 'mail ann@example.com'],
    ['@Claude Code /list', 'Claude Code', '/list'],
    ['@Claude Code', 'Claude Code', ''],
    ['允许 @Claude Code', 'Claude Code', '允许'],
    ['@Claude Codex hello', 'Claude Code', '@Claude Codex hello'],
    ['@A+B (beta) hi', 'A+B (beta)', 'hi'],
    ['what does @RobotA do', 'RobotA', 'what does @RobotA do'],
    ['@RobotA @RobotB hello', undefined, '@RobotB hello'],
    ['@RobotA @RobotB hello', 'RobotA', '@RobotB hello'],
  ];
  for (const [text, name, expected] of cases) assert.equal(withoutMention(text, name), expected, text);
});

test('a command in a group is one', () => {
  assert.equal(read({ ...inGroup, text: { content: '@RobotA /new' } })?.text, '/new');
});

test('in a direct chat a mention is a word like any other', () => {
  assert.equal(read({ ...direct, text: { content: '@everybody hi' } })?.text, '@everybody hi');
});

test('a voice is what was said', () => {
  assert.equal(read({ ...direct, msgtype: 'voice', voice: { content: 'turn left' } })?.text, 'turn left');
  assert.equal(read({ ...direct, msgtype: 'voice', voice: { content: '' } })?.text, '[voice]');
});

test('a picture, a video and a file come with all that is needed to fetch them', () => {
  for (const kind of ['image', 'video', 'file'] as const) {
    const message = read({ ...direct, msgtype: kind, [kind]: picture });
    assert.equal(message?.text, `[${kind}]`);
    const [file] = message?.files ?? [];
    assert.equal(file?.kind, kind);
    assert.match(file?.name ?? '', new RegExp(`^${kind}-[0-9a-f]{8}`));
    assert.deepEqual(readFileId(file?.id ?? ''), { url: picture.url, key: picture.aeskey });
  }
});

test('a file that tells its name has a safe one', () => {
  const message = read({ ...direct, msgtype: 'file', file: { ...picture, filename: '../../周报.pdf' } });
  assert.equal(message?.files[0]?.name, '周报.pdf');
});

test('an address that is none is no file', () => {
  for (const url of ['', 'ftp://x/y', 'file:///etc/passwd', 'no address'])
    assert.deepEqual(read({ ...direct, msgtype: 'image', image: { url } })?.files, []);
});

test('words and pictures of a mixed message stay in order', () => {
  const other = { ...picture, url: 'https://ww-aibot-img.example.com/1/b.png' };
  const items = [
    { msgtype: 'text', text: { content: '@RobotA before' } },
    { msgtype: 'image', image: picture },
    { msgtype: 'text', text: { content: 'after' } },
    { msgtype: 'image', image: other },
    { msgtype: 'mixed' },
    null,
  ];
  const message = read({ ...inGroup, msgtype: 'mixed', mixed: { msg_item: items } });
  assert.equal(message?.text, 'before\nafter');
  assert.deepEqual(
    message?.files.map(({ id }) => readFileId(id)?.url),
    [picture.url, other.url],
  );
});

test('quotations of every kind', () => {
  const cases: [object, string, number][] = [
    [{ msgtype: 'text', text: { content: 'quoted' } }, 'quoted', 0],
    [{ msgtype: 'image', image: picture }, '[image]', 1],
    [{ msgtype: 'file', file: picture }, '[file]', 1],
    [{ msgtype: 'video', video: picture }, '[video]', 1],
    [{ msgtype: 'brand_new' }, '[brand new]', 0],
    [{ msgtype: 'voice', voice: { content: 'spoken' } }, 'spoken', 0],
    [
      {
        msgtype: 'mixed',
        mixed: {
          msg_item: [
            { msgtype: 'text', text: { content: 'a' } },
            { msgtype: 'image', image: picture },
          ],
        },
      },
      'a',
      1,
    ],
  ];
  for (const [quote, text, files] of cases) {
    const message = read({ ...direct, quote });
    assert.equal(message?.quote?.text, text);
    assert.equal(message?.quote?.files.length, files);
  }
});

test('null stands for nothing at any level', () => {
  for (const quote of [null, { msgtype: 'text', text: null }, { msgtype: 'text', text: { content: null } }])
    assert.equal(read({ ...direct, quote })?.text, 'hello robot');
  assert.equal(read({ ...direct, text: null })?.text, '[empty message]');
  assert.equal(read({ ...direct, chatid: null, create_time: null })?.sentAt, 42);
});

test('a text without words reads as a placeholder', () => {
  for (const content of ['', '   ']) assert.equal(read({ ...direct, text: { content } })?.text, '[empty message]');
  assert.equal(read({ ...inGroup, text: { content: '@RobotA ' } })?.text, '[empty message]');
});

test('a kind that nobody knows yet reads as its name', () => {
  assert.equal(read({ ...direct, msgtype: 'brand_new' })?.text, '[brand new]');
});

test('emoji and control characters stay or go, and nothing breaks', () => {
  assert.equal(read({ ...direct, text: { content: '/::) 👨‍👩‍👧‍👦 第二行\n\tx' } })?.text, '/::) 👨‍👩‍👧‍👦 第二行\n\tx');
});

test('a group whose id is missing is the speaker’s own chat', () => {
  const { chatid: _, ...without } = inGroup;
  assert.deepEqual(read(without)?.chat, { id: 'zhangsan', kind: 'dm' });
});

test('people of other companies belong to theirs', () => {
  assert.equal(read({ ...direct, from: { userid: 'woAJ2GCAAA', corpid: 'ww9' } })?.tenant, 'ww9');
});

test('who opens the chat says hello', () => {
  const message = read(event('enter_chat'));
  assert.deepEqual([message?.kind, message?.text, message?.addressed], ['message', '/start', 'dm']);
});

test('a pressed button, in the shape of the documentation and of the SDK', () => {
  const flat = event('template_card_event', { event_key: 'approve', task_id: 'task1' });
  for (const body of [pressed, flat]) {
    const message = read(body);
    assert.deepEqual([message?.kind, message?.text, message?.quote?.messageId], ['action', 'approve', 'task1']);
  }
  assert.equal(read({ ...pressed, chattype: 'group', chatid: 'g' })?.addressed, 'reply');
});

test('what was chosen from a card’s lists', () => {
  const items = [
    { question_key: 'q', option_ids: { option_id: ['one', 'two'] } },
    { question_key: 'r', option_ids: { option_id: ['three'] } },
  ];
  const body = event('template_card_event', {
    template_card_event: { event_key: 'submit', task_id: 't', selected_items: { selected_item: items } },
  });
  assert.equal(read(body)?.text, 'one, two, three');
});

test('praise and blame are reactions', () => {
  const of = (type: number, content = '') =>
    read(event('feedback_event', { feedback_event: { id: 'f1', type, content } }));
  assert.deepEqual([of(1)?.kind, of(1)?.text, of(1)?.quote?.messageId], ['reaction', '👍', 'f1']);
  assert.equal(of(2, 'wrong')?.text, '👎 wrong');
  assert.match(of(3)?.text ?? '', /removed/);
  assert.equal(of(9), null);
});

test('other events are nobody’s words', () => {
  for (const type of ['auth_change_event', 'disconnected_event', 'brand_new_event', ''])
    assert.equal(read(event(type)), null);
});

test('nothing that comes ever throws', () => {
  const somewhat = fc.record(
    {
      msgid: fc.oneof(fc.string(), fc.anything()),
      from: fc.oneof(fc.record({ userid: fc.string({ minLength: 1 }) }), fc.anything()),
      chattype: fc.constantFrom('single', 'group', null),
      msgtype: fc.constantFrom('text', 'image', 'mixed', 'voice', 'file', 'video', 'event', 'stream', 'x'),
      text: fc.anything(),
      image: fc.anything(),
      mixed: fc.oneof(fc.record({ msg_item: fc.array(fc.anything()) }), fc.anything()),
      quote: fc.anything(),
      event: fc.oneof(
        fc.record({
          eventtype: fc.constantFrom('template_card_event', 'feedback_event'),
          template_card_event: fc.anything(),
        }),
        fc.anything(),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), somewhat), (body) => {
      const message = read(body);
      if (message !== null) assert.deepEqual(JSON.parse(JSON.stringify(message)), message);
    }),
    { numRuns: 1_000 },
  );
});
