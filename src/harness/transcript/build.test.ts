import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FileId } from '../../base/ids.ts';
import type { AssistantEntry, LogEntry, LoggedFile, ToolCall, ToolEntry, UserEntry } from '../log.ts';
import { buildRequest, type RequestSource, requestTokens } from './build.ts';
import { renderDirect, renderInGroup } from './frame.ts';
import type { Images, SeenImage } from './images.ts';
import { type ChatMessage, imageCount, textOf } from './messages.ts';
import { estimateTokens } from './tokens.ts';
import { validateRequest } from './validate.ts';

const at = 0;
const speaker = { id: 'telegram//7', name: 'Ann' };
const user = (text: string, more: Partial<UserEntry> = {}): UserEntry => ({
  kind: 'user',
  id: `u${text}`,
  at,
  text,
  speaker,
  ...more,
});
const bot = (
  text: string,
  toolCalls: readonly ToolCall[] = [],
  more: Partial<AssistantEntry> = {},
): AssistantEntry => ({
  kind: 'assistant',
  id: `a${text}`,
  at,
  text,
  toolCalls,
  model: 'm',
  ...more,
});
const call = (id: string, name = 'look', args = '{}'): ToolCall => ({ id, name, arguments: args });
const result = (callId: string, text = 'found', name = 'look'): ToolEntry => ({
  kind: 'tool',
  id: `t${callId}`,
  at,
  callId,
  name,
  status: 'ok',
  text,
});

function build(log: readonly LogEntry[], more: Partial<RequestSource> = {}): ChatMessage[] {
  return buildRequest({
    system: 'You are a bot.',
    log,
    turnStart: log.findLastIndex((entry) => entry.kind === 'user'),
    render: renderDirect,
    context: '',
    note: '',
    images: new Map(),
    model: { contextWindow: 100_000, replayReasoning: false, vision: false },
    toolTokens: 0,
    ...more,
  });
}

const shape = (messages: readonly ChatMessage[]): string[] =>
  messages.map((message) => {
    if (message.role === 'tool') return `tool ${message.tool_call_id}: ${message.content}`;
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []).map((made) => ` ${made.id}`) : [];
    return `${message.role}${calls.join('')}: ${message.content}`;
  });

test('a plain exchange is passed on as it is', () => {
  assert.deepEqual(shape(build([user('Hi'), bot('Hello'), user('How are you?')])), [
    'system: You are a bot.',
    'user: Hi',
    'assistant: Hello',
    'user: How are you?',
  ]);
});

test('a call whose result was lost in a crash gets one, in place, and the others keep theirs', () => {
  const messages = build([user('x'), bot('', [call('a'), call('b'), call('c')]), result('b', 'B'), user('again')]);
  assert.deepEqual(validateRequest(messages), []);
  assert.match(shape(messages)[3] ?? '', /^tool a: Error: this call was interrupted/);
  assert.equal(shape(messages)[4], 'tool b: B');
  assert.match(shape(messages)[5] ?? '', /^tool c: Error/);
});

test('results follow their call in call order, whatever order and distance they have in the log', () => {
  const log = [user('x'), bot('', [call('a'), call('b')]), result('b', 'B'), user('meanwhile'), result('a', 'A')];
  assert.deepEqual(shape(build(log)).slice(2, 5), ['assistant a b: null', 'tool a: A', 'tool b: B']);
});

test('a result without a call is dropped, and so is a second result', () => {
  const log = [
    user('x'),
    result('lost'),
    bot('', [call('a')]),
    result('a', '1'),
    result('a', '2'),
    bot('Done'),
    user('y'),
  ];
  assert.deepEqual(shape(build(log)), [
    'system: You are a bot.',
    'user: x',
    'assistant a: null',
    'tool a: 1',
    'assistant: Done',
    'user: y',
  ]);
});

test('an id that comes back in a later turn pairs within its own turn', () => {
  const log = [
    user('x'),
    bot('', [call('call_0')]), // its result was lost
    user('y'),
    bot('', [call('call_0')]),
    result('call_0', 'second'),
  ];
  const messages = build(log);
  assert.deepEqual(validateRequest(messages), []);
  assert.match(shape(messages)[3] ?? '', /^tool call_0: Error/);
  assert.match(shape(messages).at(-1) ?? '', /^tool call_3_0: second/);
});

test('equal ids within one message are answered in order', () => {
  const messages = build([user('x'), bot('', [call('a'), call('a')]), result('a', '1'), result('a', '2')]);
  assert.deepEqual(validateRequest(messages), []);
  assert.deepEqual(
    messages.flatMap((message) => (message.role === 'tool' ? [message.content] : [])),
    ['1', '2'],
  );
});

for (const args of ['{', 'null', '[]', '"str"', "{'a':1}", '{}{}', '7'])
  test(`arguments ${args} are replayed as an object and explained`, () => {
    const messages = build([user('x'), bot('', [call('a', 'look', args)])]);
    assert.deepEqual(validateRequest(messages), []);
    assert.match(shape(messages)[3] ?? '', /nothing was done, because the arguments are not/);
  });

test('bad ids and names become valid ones', () => {
  const messages = build([user('x'), bot('', [call('', ' '), call('functions.look:0', 'a.b/c')])]);
  assert.deepEqual(validateRequest(messages), []);
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  assert.deepEqual(
    calls.map((made) => made.function.name),
    ['unknown_tool', 'a_b_c'],
  );
});

test('reasoning is replayed only to models that insist on it, as a string everywhere', () => {
  const log = [user('x'), bot('a', [], { reasoning: 'hm' }), user('y'), bot('b'), user('z')];
  const fields = (messages: ChatMessage[]): unknown[] =>
    messages.flatMap((message) => (message.role === 'assistant' ? [message.reasoning_content] : []));
  assert.deepEqual(fields(build(log)), [undefined, undefined]);
  const insists = { contextWindow: 100_000, replayReasoning: true, vision: false };
  assert.deepEqual(fields(build(log, { model: insists })), ['hm', '']);
});

test('what changes from turn to turn stands with this turn, so that the requests of two turns begin alike', () => {
  const log = [user('one'), bot('1'), user('two'), user('three')];
  const messages = build(log, { turnStart: 2, context: '<context>Monday</context>' });
  assert.deepEqual(shape(messages).slice(1), [
    'user: one',
    'assistant: 1',
    'user: <context>Monday</context>\n\ntwo\n\nthree',
  ]);
});

test('a note stands at the end without a message of its own', () => {
  const messages = build([user('x'), bot('', [call('a')]), result('a', 'A')], { note: '<note>Stop.</note>' });
  assert.equal(shape(messages).at(-1), 'tool a: A\n\n<note>Stop.</note>');
});

test('a log that begins or ends with the bot still makes a request', () => {
  assert.deepEqual(shape(build([bot('Reminder!')], { turnStart: 1 })), [
    'system: You are a bot.',
    'user: (You wrote first.)',
    'assistant: Reminder!',
    'user: (Go on.)',
  ]);
  assert.deepEqual(validateRequest(build([], { turnStart: 0 })), []);
});

test('empty assistant messages vanish and neighbours become one', () => {
  const log = [user('x'), bot(' '), bot('a'), bot('b', [call('c')]), result('c', 'C')];
  assert.deepEqual(shape(build(log)).slice(1), ['user: x', 'assistant c: a\n\nb', 'tool c: C']);
});

test('the window leaves out whole turns, oldest first, and never the current one', () => {
  const long = 'word '.repeat(400);
  const log: LogEntry[] = [];
  for (let n = 0; n < 20; n++)
    log.push(user(`${n} ${long}`), bot('', [call(`c${n}`)]), result(`c${n}`, long), bot('ok'));
  log.push(user('now'));
  const messages = build(log, { model: { contextWindow: 8000, replayReasoning: false, vision: false } });
  assert.deepEqual(validateRequest(messages), []);
  assert.match(shape(messages)[1] ?? '', /^user: \(Earlier messages/);
  assert.equal(shape(messages).at(-1), 'user: now');
  const tokens = messages.reduce((total, message) => total + estimateTokens(textOf(message.content)), 0);
  assert.ok(tokens < 8000 && tokens > 2000, String(tokens));
});

test('the cut stays where it is for several turns, so that the prefix stays cached', () => {
  const long = 'word '.repeat(100);
  const log: LogEntry[] = [];
  const starts = new Set<string>();
  for (let n = 0; n < 60; n++) {
    log.push(user(`${n} ${long}`));
    const first =
      build(log, { model: { contextWindow: 6000, replayReasoning: false, vision: false } })[1]?.content?.toString() ??
      '';
    starts.add(first.slice(0, 80));
    log.push(bot(`answer ${n}`));
  }
  assert.ok(starts.size <= 10, `${starts.size} different beginnings in 60 turns`);
});

test('a current turn that is too long for the window keeps its calls and loses the middle of its results', () => {
  const log = [user('read it'), bot('', [call('a'), call('b')]), result('a', 'x'.repeat(60_000)), result('b', 'short')];
  const messages = build(log, { model: { contextWindow: 8000, replayReasoning: false, vision: false } });
  assert.deepEqual(validateRequest(messages), []);
  assert.match(shape(messages)[3] ?? '', /characters left out/);
  assert.equal(shape(messages)[4], 'tool b: short');
});

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '\n', '\ud800', 'a\u0000b', '<note>x</note>', '你好'),
);
const anyId = fc.oneof(fc.constantFrom('a', 'b', 'call_0', 'call_1_0', '', ' ', 'x'.repeat(60), 'f.g:0'), anyText);
const anyArguments = fc.oneof(
  fc.constantFrom('', '{}', '{', 'null', '[]', '{}{}', '{"a":"\\ud800"}', '{"\\ud800":1}', '{"a":1}'),
  fc.json(),
  anyText,
);
const anyCall = fc.record({ id: anyId, name: fc.oneof(fc.constantFrom('look', ''), anyText), arguments: anyArguments });
const anyFile: fc.Arbitrary<LoggedFile> = fc.record({
  id: fc.constantFrom('f_1' as FileId, 'f_2' as FileId, 'f_3' as FileId),
  kind: fc.constantFrom('image', 'file'),
  name: anyText,
  mime: anyText,
  bytes: fc.nat(),
});
const anyEntry: fc.Arbitrary<LogEntry> = fc.oneof(
  fc
    .record({ text: anyText, name: anyText, files: fc.array(anyFile, { maxLength: 2 }), quote: anyText })
    .map(({ text, name, files, quote }) =>
      user(text, { speaker: { id: name, name }, files, quote: { fromBot: false, text: quote } }),
    ),
  fc
    .record({ text: anyText, reasoning: anyText, calls: fc.array(anyCall, { maxLength: 3 }) })
    .map(({ text, reasoning, calls }) => bot(text, calls, { reasoning })),
  fc
    .record({ id: anyId, text: anyText, name: fc.constantFrom('look', '') })
    .map(({ id, text, name }) => result(id, text, name)),
);

const PIXEL = 'data:image/png;base64,AAAA';
const anyImages: fc.Arbitrary<Images> = fc
  .array(fc.constantFrom('f_1' as FileId, 'f_2' as FileId, 'f_3' as FileId), { maxLength: 3 })
  .map((ids) => new Map(ids.map((id): [FileId, SeenImage] => [id, { kind: 'shown', url: PIXEL }])));

const photo = (id: string, name = `${id}.png`): LoggedFile => ({
  id: id as FileId,
  kind: 'image',
  name,
  mime: 'image/png',
  bytes: 9,
});
const sees = { contextWindow: 100_000, replayReasoning: false, vision: true };
const shown = (...ids: string[]): Images => new Map(ids.map((id) => [id as FileId, { kind: 'shown', url: PIXEL }]));

test('an image follows its message, and what is said next follows the image', () => {
  const log = [user('look', { files: [photo('a')] }), user('well?')];
  const [, message] = build(log, { images: shown('a'), model: sees, turnStart: 0, note: '<note>x</note>' });
  assert.ok(message?.role === 'user' && typeof message.content !== 'string');
  assert.deepEqual(
    message.content.map((part) => (part.type === 'text' ? part.text : part.image_url.url)),
    ['look\n<files>\na.png (image, image/png, 9 bytes, id a)\n</files>', PIXEL, 'well?\n\n<note>x</note>'],
  );
});

test('a model without eyes gets text alone, and is told what it does not see of this turn', () => {
  const log = [user('old', { files: [photo('a')] }), bot('ok'), user('new', { files: [photo('b')] })];
  const messages = build(log, { images: shown('a', 'b') });
  assert.ok(messages.every((message) => typeof message.content === 'string'));
  assert.equal(
    shape(messages)
      .join()
      .match(/You cannot see images/g)?.length,
    1,
  );
  assert.match(shape(messages).at(-1) ?? '', /Of b\.png you know nothing/);
});

test('images of quotes are shown, and why one is not is said', () => {
  const quote = { fromBot: false, text: '', files: [photo('q')] };
  const hidden: Images = new Map([...shown('q'), ['h' as FileId, { kind: 'hidden', why: 'it is too large' }]]);
  const messages = build([user('x', { quote, files: [photo('h')] })], { images: hidden, model: sees });
  assert.equal(messages.map(imageCount).join(), '0,1');
  const [, message] = messages;
  assert.match(textOf(message?.content ?? null), /You cannot see h\.png: it is too large\./);
});

test('images leave room for words: where the window is small, the newest few are shown', () => {
  const log = [user('x', { files: [photo('a'), photo('b'), photo('c')] })];
  const small = { contextWindow: 8_000, replayReasoning: false, vision: true };
  const messages = build(log, { images: shown('a', 'b', 'c'), model: small });
  assert.deepEqual(messages.map(imageCount), [0, 1]);
  assert.match(textOf(messages[1]?.content ?? null), /You cannot see b\.png: there is no room/);
});

test('the window counts images, so that a long log with images still fits', () => {
  const log: LogEntry[] = Array.from({ length: 8 }, (_, n) => [
    user(`${n} ${'word '.repeat(1_000)}`),
    bot('ok'),
  ]).flat();
  log.push(user('see', { files: [photo('a'), photo('b')] }));
  const model = { contextWindow: 16_000, replayReasoning: false, vision: true };
  const messages = build(log, { images: shown('a', 'b'), model });
  assert.ok(requestTokens(messages) <= 12_000, `${requestTokens(messages)} tokens`);
  assert.equal(
    messages.map(imageCount).reduce((a, b) => a + b, 0),
    2,
  );
});

test('any log makes a request that a strict endpoint accepts', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { maxLength: 12 }),
      fc.nat(14),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom(50, 300, 2000, 100_000),
      fc.constantFrom('', '<context>now</context>'),
      fc.constantFrom('', '<note>end</note>'),
      fc.record({ vision: fc.boolean(), images: anyImages, views: fc.nat(2) }),
      (log, turnStart, replayReasoning, group, contextWindow, context, note, { vision, images, views }) => {
        const messages = build(log, {
          turnStart,
          render: group ? renderInGroup : renderDirect,
          context,
          note,
          images,
          viewed: Array.from({ length: views }, (_, n) => ({ name: `${n}`, url: 'data:image/png;base64,AA==' })),
          model: { contextWindow, replayReasoning, vision },
        });
        assert.deepEqual(validateRequest(messages), []);
        assert.deepEqual(
          messages.flatMap(({ role }, index) => (role === 'system' ? [index] : [])),
          [0],
          'one system message, at the start',
        );
        const text = messages.map((message) => textOf(message.content)).join('\n');
        assert.ok(text.includes(context) && text.includes(note));
      },
    ),
    { numRuns: 400 },
  );
});

test('a log that has grown makes the request that it would make if it were read for the first time', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { maxLength: 12 }),
      fc.nat(14),
      fc.boolean(),
      fc.constantFrom(50, 2000, 100_000),
      (entries, turnStart, replayReasoning, contextWindow) => {
        const model = { contextWindow, replayReasoning, vision: false };
        const log: LogEntry[] = [];
        for (const entry of entries) {
          log.push(entry);
          assert.deepEqual(build(log, { turnStart, model }), build(structuredClone(log), { turnStart, model }));
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('of a log with a summary the entries before it cost nothing and change nothing', () => {
  const speaker = { id: 'telegram//7', name: 'Ann' };
  const said = (id: string, text: string): LogEntry => ({ kind: 'user', id, at: 0, text, speaker });
  const behind: LogEntry[] = [
    said('b', 'before'),
    { kind: 'summary', id: 's', at: 0, covers: 'b', text: 'They met.' },
    said('c', 'since'),
  ];
  const long = [...Array.from({ length: 50 }, (_, n) => said(`a${n}`, `old ${n}`)), ...behind];
  const text = JSON.stringify(build(long, { turnStart: long.length }));
  assert.equal(text, JSON.stringify(build(behind, { turnStart: behind.length })));
  assert.match(text, /They met.*since/);
  assert.doesNotMatch(text, /old|before/);
});

test('what an endpoint wants back with a call goes to the model that gave it, and to no other', () => {
  const extra = { google: { thought_signature: 'x' } };
  const log = [user('Look'), bot('', [{ ...call('c1'), extra }, call('c2')], { model: 'gemini' }), result('c1')];
  const callsFor = (name: string) => {
    const model = { name, contextWindow: 100_000, replayReasoning: false, vision: false };
    return build(log, { model }).flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  };
  assert.deepEqual(
    callsFor('gemini').map(({ extra_content }) => extra_content),
    [extra, undefined],
  );
  assert.ok(callsFor('other').every((one) => !('extra_content' in one)));
});

test('what was heard before a turn stands before it, as no message of anybody', () => {
  const heard = { id: 'm1', at, name: 'Bo', fromBot: false, text: 'the build is red' };
  const log: LogEntry[] = [{ kind: 'heard', id: 'h', at, messages: [heard] }, user('look into this')];
  const messages = build(log, { context: 'now' });
  assert.deepEqual(validateRequest(messages), []);
  assert.match(textOf(messages[1]?.content ?? ''), /^<heard>\n[\s\S]*red[\s\S]*<\/heard>\s+now\s+look into this$/);
  assert.deepEqual(validateRequest(build([...log, bot('ok'), user('and?')])), []);
  assert.doesNotMatch(JSON.stringify(build([{ kind: 'heard', id: 'h', at, messages: [] }, user('x')])), /heard>/);
});
