import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { imUserKey, newThreadId, parseImUserKey, parseThreadKey, threadKey } from './ids.ts';

test('thread keys and user keys survive any id, and different places never share a key', () => {
  const id = fc.string({ minLength: 1, unit: 'grapheme' });
  const place = fc.record(
    { channel: id, chat: id, topic: id, user: id },
    { requiredKeys: ['channel', 'chat'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(place, place, (one, other) => {
      assert.deepEqual(parseThreadKey(threadKey(one)), one);
      if (threadKey(one) === threadKey(other)) assert.deepEqual(one, other);
    }),
  );
  fc.assert(
    fc.property(fc.record({ channelType: id, tenant: fc.string(), user: id }, { noNullPrototype: true }), (name) => {
      assert.deepEqual(parseImUserKey(imUserKey(name)), name);
    }),
  );
});

test('thread ids can be part of a BullMQ job id and of a URL', () => {
  for (let i = 0; i < 200; i++) assert.match(newThreadId(), /^t_[A-Za-z0-9_-]{24}$/);
});
