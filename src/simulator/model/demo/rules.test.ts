import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from '../wire.ts';
import { demoReply } from './rules.ts';
import type { DemoReply } from './situation.ts';

const tool = (name: string, property?: string): object => ({
  type: 'function',
  function: {
    name,
    parameters: { type: 'object', properties: property === undefined ? {} : { [property]: { type: 'string' } } },
  },
});
const allTools = [
  tool('current_time'),
  tool('calculator', 'expression'),
  tool('ask_clarification', 'question'),
  tool('read_file', 'file'),
  tool('send_file', 'name'),
];
const files = (...lines: string[]): string => `<files>\n${lines.join('\n')}\n</files>`;
const csv = 'prices.csv (file, text/csv, 12 KB, id fi_1)';
const cat = 'my cat (1).png (image, image/png, 9 KB, id fi_2)';

const user = (content: string): object => ({ role: 'user', content });
const bot = (content: string): object => ({ role: 'assistant', content });
const reply = (messages: readonly object[], tools: readonly object[] = allTools): DemoReply =>
  demoReply(readRequest({ model: 'demo', messages, tools }));
const textOf = (...messages: readonly object[]): string => {
  const answer = reply(messages);
  return answer.kind === 'text' ? answer.text : `calls ${answer.name}`;
};

const texts: readonly (readonly [said: readonly object[], answer: RegExp])[] = [
  [[user('Hello')], /^Hello! .*demo/],
  [[user('你好')], /^你好！.*演示/],
  [[user('my name is Ann'), bot('…'), user('hi')], /^Hello, Ann!/],
  [[user('My name is Ann')], /Nice to meet you, Ann\./],
  [[user('my name is Ann'), bot('…'), user('what is my name?')], /Your name is Ann/],
  [[user('我叫小波'), bot('…'), user('我叫什么？')], /你叫小波/],
  [[user('我叫什么？')], /还没告诉/],
  [[user('what’s my name')], /not told me/],
  [[{ role: 'system', content: 'You are talking to Ann Lee.' }, user('hello')], /^Hello, Ann Lee!/],
  [
    [
      user('<message from="Bo" id="telegram//2">\nmy name is Bob\n</message>'),
      user('<message from="Ann" id="telegram//1">\nwhat is my name?\n</message>'),
    ],
    /account says Ann/,
  ],
  [
    [user('<context>\nNow: today\nYou answer: Ann (id telegram//1), who uses the app in English\n</context>\n\nhi')],
    /^Hello, Ann!/,
  ],
  [
    [user('<message from="Ann" id="1">\nI am Anna\n</message>\n\n<message from="小波" id="2">\n你好\n</message>')],
    /^你好，小波！/,
  ],
  [
    [user('<context>\nYou answer: 小波 (id x), who uses the app in Chinese\n</context>\n\n12345')],
    /^你说的是：“12345”/,
  ],
  [[user('what time is it?')], /calls current_time/],
  [[user('现在几点了')], /calls current_time/],
  [[user('what is 12 times 12?')], /calls calculator/],
  [[user('3加4等于几')], /calls calculator/],
  [[user('book a table')], /calls ask_clarification/],
  [[user('帮我订一张桌子')], /calls ask_clarification/],
  [[user('send me a file')], /calls send_file/],
  [[user('发个文件给我')], /calls send_file/],
  [[user(`look\n${files(csv)}`)], /calls read_file/],
  [[user(files(cat))], /^I got \*\*my cat \(1\)\.png\*\* \(image, image\/png, 9 KB\)\.$/],
  [[user(`你好，看看\n${files(`${cat}: not readable, it is no longer on the platform`)}`)], /读不了。$/],
  [[user(`<quote from="Bo">\n${files(cat)}\n</quote>\nwhat is it?`)], /^I got \*\*my cat \(1\)\.png\*\*/],
  [[user('long')], /^# [\s\S]*\|---[\s\S]*```ts[\s\S]*\n- /],
  [[user('来一篇长文')], /^# 一条消息/],
  [[user('thanks')], /welcome/],
  [[user('count to 5')], /^1 2 3 4 5$/],
  [[user('the 2026-11-30 release')], /You wrote: “the 2026-11-30 release”/],
  [[user('<quote from="you">\nred\n</quote>\nwhy?')], /You refer to “red”\. You wrote: “why\?”/],
];

for (const [said, answer] of texts)
  test(`the demo model, told ${JSON.stringify(said.at(-1))}`, () => {
    assert.match(textOf(...said), answer);
  });

const afterCall = (question: string, name: string, args: string, result: string): string =>
  textOf(
    user(question),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'c', content: result },
  );

test('the demo model passes on what a tool found', () => {
  assert.equal(afterCall('12 * 12', 'calculator', '{"expression":"12*12"}', '144'), '12 × 12 = **144**');
  assert.match(
    afterCall('几点了', 'current_time', '{}', 'Monday, 2026-11-30 10:00'),
    /^现在是 2026-11-30 10:00 星期一。/,
  );
  assert.match(afterCall('1/0', 'calculator', '{}', 'Error: division by zero'), /did not work/);
});

test('the demo model shows what it has read, and what it has sent', () => {
  const sent = `look\n${files(csv, cat)}`;
  const read = '<tool_result tool="read_file">\nprices.csv, lines 1 to 2 of 2:\na,1\nb,2\n</tool_result>';
  assert.match(
    afterCall(sent, 'read_file', '{"file":"prices.csv"}', read),
    /^I got \*\*prices\.csv\*\* \(.*\), \*\*my cat .*It begins:\n\n```\na,1\nb,2\n```$/,
  );
  assert.match(
    afterCall('send me a file', 'send_file', '{}', 'demo.md (30 bytes) goes to the person'),
    /^Here you are/,
  );
});

test('the demo model says what it sees of an image', () => {
  const content = [
    { type: 'text', text: files(cat) },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.alloc(7).toString('base64')}` } },
  ];
  assert.match(textOf({ role: 'user', content }), /I see that it is image\/png, 7 bytes/);
});

test('the demo model takes an answer to its question for one, and anything else for what it is', () => {
  const question = {
    id: 'c',
    type: 'function',
    function: { name: 'ask_clarification', arguments: '{"question":"When?"}' },
  };
  const asked = [
    user('book a table'),
    { role: 'assistant', content: null, tool_calls: [question] },
    { role: 'tool', tool_call_id: 'c', content: 'asked' },
  ];
  assert.match(textOf(...asked, user('tomorrow at 7')), /\*\*tomorrow at 7\*\*/);
  assert.match(textOf(...asked, bot('(no answer)'), user('tomorrow at 7')), /\*\*tomorrow at 7\*\*/);
  assert.match(textOf(...asked, user('tomorrow at 7'), bot('Noted'), user('hello')), /^Hello/);
  const note = '<note>\nThe answer to your question “When?” is: 2. Tomorrow at 7 pm\n</note>\n\n';
  assert.match(textOf(...asked, user(`${note}2`)), /\*\*Tomorrow at 7 pm\*\*/);
  assert.match(textOf(...asked, user('what is my name?')), /name yet/);
  assert.match(textOf(...asked, user('never mind')), /^You wrote: “never mind”/);
  assert.match(JSON.stringify(reply([...asked, user('12*12')])), /calculator/);
});

test('the demo model calls a tool by the argument that it declares, and does without a missing one', () => {
  const [other] = [tool('calculator', 'formula')];
  assert.deepEqual(reply([user('1+1')], other === undefined ? [] : [other]), {
    kind: 'tool',
    name: 'calculator',
    arguments: { formula: '1+1' },
  });
  assert.match(JSON.stringify(reply([user('what time is it')], [])), /current_time/);
});

test('the demo model gives answers to pick, so that buttons are seen where a platform has them', () => {
  const asked = reply([user('book a table')]);
  assert.ok(asked.kind === 'tool');
  assert.deepEqual(asked.arguments.options, ['Today at 7 pm', 'Tomorrow at 7 pm', 'Saturday at 8 pm']);
});
