import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFileId } from '../file-id.ts';
import { ANN, KEYS, media, messageWith, SELF, textItem } from '../fixtures.ts';
import { parseLossless } from '../json.ts';
import { normalize, placeholderOf } from './index.ts';

const context = { channel: 'wechat', bot: SELF, now: 5 };
const read = (message: unknown) => normalize(message, context);
const said = (items: unknown, more: object = {}) => {
  const reading = read(messageWith(items, more));
  assert.ok(reading !== null);
  return reading.message;
};
const sourceOf = (items: unknown) => readFileId(said(items).files[0]?.id ?? '');

test('ids keep all their digits, and words that look like JSON stay as they are', () => {
  const wire = `{"message_id":9007199254740993123,"svr_id":18446744073709551610,"small":7,"float":1.5,"big":1e300,"text":"\\"message_id\\":9007199254740993123"}`;
  assert.deepEqual(parseLossless(wire), {
    message_id: '9007199254740993123',
    svr_id: '18446744073709551610',
    small: 7,
    float: 1.5,
    big: 1e300,
    text: '"message_id":9007199254740993123',
  });
});

test('a text: who, where, when, what', () => {
  const reading = read(messageWith([textItem('hello [微笑]')]));
  assert.equal(reading?.contextToken, 'CTX==');
  assert.deepEqual(reading?.message, {
    channel: 'wechat',
    channelType: 'wechat',
    tenant: '',
    chat: { id: ANN, kind: 'dm' },
    id: '9007199254740993123',
    kind: 'message',
    sender: { id: ANN, name: '', isBot: false },
    sentAt: 1_700_000_000_000,
    text: 'hello [微笑]',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
});

test('what nobody says to anybody is left out', () => {
  for (const message of [
    messageWith([textItem('mine')], { message_type: 2 }),
    messageWith([textItem('mine')], { from_user_id: SELF }),
    messageWith([textItem('half a sen')], { message_state: 1 }),
    messageWith([]),
    messageWith(null),
    messageWith(undefined),
    messageWith([{ type: 11, tool_call_start_item: { tool_name: 'x' } }]),
    messageWith([{ type: 12, tool_call_result_item: { status: 'ok' } }]),
    messageWith([textItem('')]),
    messageWith([textItem('x')], { from_user_id: '' }),
    null,
    'text',
    [],
  ])
    assert.equal(read(message), null, JSON.stringify(message));
});

test('of a message that is being written only the finished one counts, and it is one', () => {
  const states = [1, 1, 2].map((message_state) => read(messageWith([textItem('half a sentence')], { message_state })));
  assert.deepEqual(
    states.map((reading) => reading?.message.text),
    [undefined, undefined, 'half a sentence'],
  );
});

test('each kind of item reads as something', () => {
  const table: [items: unknown[], text: string, kinds: string[]][] = [
    [[textItem('a'), textItem('b')], 'a\nb', []],
    [[{ type: 2, image_item: { media: media() } }], '[image]', ['image']],
    [[textItem('look'), { type: 2, image_item: { media: media() } }], 'look', ['image']],
    [[{ type: 3, voice_item: { media: media(), text: ' spoken words ', encode_type: 6 } }], 'spoken words', []],
    [[{ type: 3, voice_item: { media: media(), encode_type: 6 } }], '[voice]', ['voice']],
    [[{ type: 4, file_item: { media: media(), file_name: '../a/b.pdf', len: '12' } }], '[file b.pdf]', ['file']],
    [[{ type: 5, video_item: { media: media(), video_size: 80_000_000 } }], '[video]', ['video']],
    [[{ type: 99, strange: true }], '[message of kind 99]', []],
    [[{}], '[message]', []],
    ['text', '', []],
    [[7], '[message]', []],
    [[textItem('a'), { type: 11 }, { type: 99 }], 'a', []],
    [[{ type: 2, image_item: {} }], '[image]', []],
  ] as [unknown[], string, string[]][];
  for (const [items, text, kinds] of table) {
    const message = read(messageWith(items))?.message;
    assert.equal(message?.text ?? '', text, JSON.stringify(items));
    assert.deepEqual(
      (message?.files ?? []).map(({ kind }) => kind),
      kinds,
      JSON.stringify(items),
    );
  }
});

test('keys in every spelling come out the same; a picture’s key in hexadecimal wins', () => {
  const other = Buffer.alloc(16, 7).toString('base64');
  for (const item of [
    { type: 2, image_item: { media: media({ aes_key: other }), aeskey: KEYS.hex.toUpperCase() } },
    { type: 2, image_item: { media: media({ aes_key: KEYS.base64Raw }) } },
    { type: 4, file_item: { media: media({ aes_key: KEYS.base64Hex }), file_name: 'a' } },
  ])
    assert.deepEqual(sourceOf([item]), { param: 'PARAM', key: KEYS.hex });
  assert.deepEqual(sourceOf([{ type: 2, image_item: { media: { encrypt_query_param: 'P' } } }]), { param: 'P' });
  const whole = { type: 2, image_item: { media: { full_url: 'https://x.weixin.qq.com/f', aes_key: '' } } };
  assert.deepEqual(sourceOf([whole]), { url: 'https://x.weixin.qq.com/f' });
  const wrong = { type: 4, file_item: { media: media({ aes_key: 'AAAA' }), file_name: 'a.txt' } };
  assert.deepEqual(said([wrong]).files, []);
  assert.equal(said([wrong]).text, '[file a.txt]');
});

test('a file keeps its size and its name without folders', () => {
  const [file] = said([
    { type: 4, file_item: { media: media(), file_name: 'C:\\x\\..\\报告.pdf', len: '12345' } },
  ]).files;
  assert.deepEqual([file?.name, file?.bytes, file?.kind], ['报告.pdf', 12_345, 'file']);
  const [nameless] = said([{ type: 4, file_item: { media: media(), len: 'many' } }]).files;
  assert.deepEqual([nameless?.name, nameless?.bytes], ['file-9007199254740993123.bin', undefined]);
});

test('a quotation: with all of it, with only its id, with a part of it', () => {
  const quoted = { type: 1, msg_id: '77', text_item: { text: 'one two three two' } };
  const whole = said([textItem('what?', { ref_msg: { message_item: quoted, title: 'Ann' } })]);
  assert.deepEqual(whole.quote, { messageId: '77', fromBot: false, text: 'one two three two', files: [] });
  const named = said([textItem('what?', { ref_msg: { svr_id: '9007199254740995' } })]);
  assert.deepEqual(named.quote, {
    messageId: '9007199254740995',
    fromBot: false,
    text: '[quote unavailable]',
    files: [],
  });
  const titled = said([textItem('what?', { ref_msg: { title: 'Ann: hi' } })]);
  assert.deepEqual(titled.quote, { fromBot: false, text: 'Ann: hi', files: [] });
  assert.equal(said([textItem('what?', { ref_msg: {} })]).quote, undefined);
  const picture = { type: 2, msg_id: '78', image_item: { media: media() } };
  const ofPicture = said([textItem('what?', { ref_msg: { message_item: picture } })]).quote;
  assert.deepEqual([ofPicture?.text, ofPicture?.files.length], ['[image]', 1]);
});

test('a quoted part is cut out where its hash says, and where it cannot be found the whole is quoted', () => {
  const text = 'one two three two four';
  const quoted = { type: 1, text_item: { text } };
  const md5 = (part: string): string => createHash('md5').update(part).digest('hex');
  const part = (partial: object): string | undefined =>
    said([textItem('?', { ref_msg: { message_item: quoted, partial_text: partial } })]).quote?.text;
  const two = { start: 'two', end: 'two', startindex: 0 };
  assert.equal(part({ ...two, endindex: 1, quotemd5: md5('two three two') }), 'two three two');
  // Counted from the part's own beginning instead of the text's.
  assert.equal(part({ ...two, endindex: 0, quotemd5: md5('two three two') }), 'two three two');
  assert.equal(part({ ...two, endindex: 1 }), 'two three two');
  assert.equal(part({ ...two, endindex: 1, quotemd5: md5('something else') }), text);
  assert.equal(part({ start: 'five', end: 'six', startindex: 0, endindex: 0 }), text);
  assert.equal(part({ start: 'two', end: 'one', startindex: 0, endindex: 0 }), text);
  assert.equal(part({ start: 'two', end: 'two', startindex: -1, endindex: 0 }), text);
});

test('a message that was taken back says so under its own id', () => {
  const reading = read(messageWith([], { delete_time_ms: 1_700_000_009_000 }));
  assert.deepEqual(
    [reading?.message.kind, reading?.message.id, reading?.message.sentAt],
    ['recall', '9007199254740993123', 1_700_000_009_000],
  );
});

test('a message in a group is of the group’s chat, and never mixed into the person’s own', () => {
  const message = said([textItem('hi')], { group_id: 'g1@chatroom' });
  assert.deepEqual(
    [message.chat, message.addressed, message.sender.id],
    [{ id: 'g1@chatroom', kind: 'group' }, 'none', ANN],
  );
});

test('without an id of its own a message has that of its item, else one made of all it says', () => {
  const of = (more: object, items: unknown = [textItem('a')]) => said(items, { message_id: undefined, ...more }).id;
  assert.equal(of({}, [textItem('a', { msg_id: 42 })]), '42');
  assert.equal(of({}), of({}));
  assert.notEqual(of({}), of({ create_time_ms: 1_700_000_000_001 }));
  assert.equal(said([textItem('a')], { create_time_ms: undefined }).sentAt, 5);
});

test('a placeholder says who and where, and nothing of what', () => {
  const placeholder = placeholderOf(messageWith([textItem('secret')]), context);
  assert.deepEqual([placeholder?.text, placeholder?.chat.id], ['[message]', ANN]);
});

test('nothing that may come makes it throw, and what it makes is JSON', () => {
  const item = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        type: fc.oneof(fc.integer({ min: 0, max: 13 }), fc.jsonValue()),
        msg_id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        text_item: fc.oneof(fc.record({ text: fc.string({ unit: 'binary' }) }), fc.jsonValue()),
        image_item: fc.oneof(fc.record({ media: fc.jsonValue(), aeskey: fc.string() }), fc.jsonValue()),
        file_item: fc.oneof(
          fc.record({ media: fc.record({ full_url: fc.string(), aes_key: fc.string() }), file_name: fc.string() }),
          fc.jsonValue(),
        ),
        voice_item: fc.jsonValue(),
        ref_msg: fc.oneof(
          fc.record({
            svr_id: fc.jsonValue(),
            title: fc.string(),
            partial_text: fc.jsonValue(),
            message_item: fc.jsonValue(),
          }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    ),
  );
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        message_id: fc.jsonValue(),
        from_user_id: fc.oneof(fc.string({ minLength: 1 }), fc.jsonValue()),
        group_id: fc.jsonValue(),
        create_time_ms: fc.jsonValue(),
        delete_time_ms: fc.jsonValue(),
        message_type: fc.oneof(fc.constant(1), fc.jsonValue()),
        context_token: fc.jsonValue(),
        item_list: fc.oneof(fc.array(item, { maxLength: 4 }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(message, (raw) => {
      const reading = read(raw);
      if (reading === null) return;
      assert.deepEqual(JSON.parse(JSON.stringify(reading.message)), reading.message);
      assert.ok(reading.message.kind === 'recall' || reading.message.text !== '' || reading.message.files.length > 0);
      assert.notEqual(reading.message.id, '');
    }),
    { numRuns: 500 },
  );
});
