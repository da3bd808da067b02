import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallAssembler, type CallDelta } from './calls.ts';

const cases: Record<string, [CallDelta[], string[]]> = {
  'numbered pieces': [
    [
      { index: 0, id: 'a', name: 'f', arguments: '' },
      { index: 1, id: 'b', name: 'g', arguments: '{"y"' },
      { index: 0, arguments: '{"x":1}' },
      { index: 1, arguments: ':2}' },
    ],
    ['a f {"x":1}', 'b g {"y":2}'],
  ],
  'parallel calls without numbers do not merge': [
    [
      { id: 'c1', name: 'f', arguments: '{"a":1}' },
      { id: 'c2', name: 'g', arguments: '{"b":2}' },
    ],
    ['c1 f {"a":1}', 'c2 g {"b":2}'],
  ],
  'without numbers a piece without id goes on with the last call': [
    [{ id: 'c1', name: 'f', arguments: '{"a"' }, { arguments: ':1}' }, { id: 'c2', name: 'g' }, { arguments: '{}' }],
    ['c1 f {"a":1}', 'c2 g {}'],
  ],
  'numbered and not numbered pieces mixed': [
    [{ index: 0, id: 'a', name: 'f' }, { arguments: '{"x":1}' }, { index: 1, id: 'b', name: 'g', arguments: '{}' }],
    ['a f {"x":1}', 'b g {}'],
  ],
  'every call is numbered 0': [
    [
      { index: 0, id: 'a', name: 'f', arguments: '{}' },
      { index: 0, id: 'b', name: 'f', arguments: '{"x":1}' },
    ],
    ['a f {}', 'b f {"x":1}'],
  ],
  'every call is numbered 0 and takes no arguments': [
    [
      { index: 0, id: 'a', name: 'f' },
      { index: 0, id: 'b', name: 'g' },
    ],
    ['a f ', 'b g '],
  ],
  'a new id with each piece of the same call': [
    [
      { index: 0, id: 'a', name: 'f', arguments: '{"x"' },
      { index: 0, id: 'b', name: 'f', arguments: ':1' },
      { index: 0, id: 'c', arguments: '}' },
    ],
    ['a f {"x":1}'],
  ],
  'the name comes late': [
    [
      { index: 0, id: 'a', arguments: '{' },
      { index: 0, name: 'get_weather', arguments: '}' },
    ],
    ['a get_weather {}'],
  ],
  'id and name with each piece': [
    [
      { index: 0, id: 'a', name: 'get_weather', arguments: '{"x":' },
      { index: 0, id: 'a', name: 'get_weather', arguments: '1}' },
    ],
    ['a get_weather {"x":1}'],
  ],
  'the name in fragments': [
    [
      { index: 0, id: 'a', name: 'get_' },
      { index: 0, name: 'weather', arguments: '{}' },
    ],
    ['a get_weather {}'],
  ],
  'the name grows': [
    [
      { index: 0, id: 'a', name: 'get_' },
      { index: 0, id: 'a', name: 'get_weather', arguments: '{}' },
    ],
    ['a get_weather {}'],
  ],
  'two entries with the same number in one chunk': [
    [
      { index: 0, id: 'a', name: 'f' },
      { index: 0, arguments: '{}' },
    ],
    ['a f {}'],
  ],
  'no ids at all': [
    [
      { name: 'f', arguments: '{"x":1}' },
      { name: 'f', arguments: '{"x":2}' },
    ],
    ['new0 f {"x":1}', 'new1 f {"x":2}'],
  ],
  'the same id twice': [
    [
      { index: 0, id: 'a', name: 'f', arguments: '{}' },
      { index: 1, id: 'a', name: 'g', arguments: '{}' },
    ],
    ['a f {}', 'new1 g {}'],
  ],
  'nothing but a number': [[{ index: 0 }], []],
};

for (const [name, [deltas, calls]] of Object.entries(cases))
  test(name, () => {
    const assembler = new CallAssembler();
    for (const delta of deltas) assembler.add(delta);
    const made = assembler.finish((position) => `new${position}`);
    assert.deepEqual(
      made.map((call) => `${call.id} ${call.name} ${call.arguments}`),
      calls,
    );
  });

test('white space around a name is gone, since every guard compares names', () => {
  const assembler = new CallAssembler();
  assembler.add({ index: 0, id: 'a', name: ' read_file ', arguments: '{}' });
  assert.deepEqual(
    assembler.finish(() => 'new').map(({ name }) => name),
    ['read_file'],
  );
});

test('what an endpoint wants back with a call is kept with it', () => {
  const calls = new CallAssembler();
  const extra = { google: { thought_signature: 'x' } };
  calls.add({ index: 0, id: 'a', name: 'f', arguments: '{', extra });
  calls.add({ index: 0, arguments: '}' });
  calls.add({ index: 1, id: 'b', name: 'g' });
  assert.deepEqual(
    calls.finish(() => ''),
    [
      { id: 'a', name: 'f', arguments: '{}', extra },
      { id: 'b', name: 'g', arguments: '' },
    ],
  );
});
