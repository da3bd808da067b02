import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from './validate.ts';
import { readRequest } from './wire.ts';

const user = { role: 'user', content: 'hi' };
const call = (id: string, args = '{}'): object => ({ id, type: 'function', function: { name: 'f', arguments: args } });
const calling = (...calls: object[]): object => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'ok' });

const cases: readonly (readonly [name: string, messages: readonly object[], problem: RegExp | undefined])[] = [
  ['a plain question', [user], undefined],
  ['a pair of call and result', [user, calling(call('1')), result('1')], undefined],
  ['results in any order', [user, calling(call('1'), call('2')), result('2'), result('1')], undefined],
  ['nothing at all', [], /at least one/],
  ['a dangling call', [user, calling(call('1')), user], /not have response messages: 1/],
  ['a dangling call at the end', [user, calling(call('1'))], /not have response messages: 1/],
  ['an orphan result', [user, result('1')], /must be a response/],
  ['a result twice', [user, calling(call('1')), result('1'), result('1')], /must be a response/],
  ['an id twice', [user, calling(call('1')), result('1'), calling(call('1')), result('1')], /used twice/],
  ['broken arguments', [user, calling(call('1', '{')), result('1')], /JSON object/],
  ['a list as arguments', [user, calling(call('1', '[]')), result('1')], /JSON object/],
  ['a late system message', [user, { role: 'system', content: 'x' }], /beginning/],
  ['an empty text', [{ role: 'user', content: ' ' }], /non-empty/],
  ['no content', [{ role: 'assistant', content: null }, user], /not be null/],
  ['half an emoji', [{ role: 'user', content: 'a\ud83d' }], /surrogate/],
  ['a picture without text', [{ role: 'user', content: [{ type: 'image_url' }] }], /text/],
];

for (const [name, messages, problem] of cases)
  test(`strictly read: ${name}`, () => {
    const found = problemOf(readRequest({ model: 'm', messages }));
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', problem);
  });
