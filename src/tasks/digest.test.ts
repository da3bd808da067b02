import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestDay } from './digest.ts';
import { member, openDesk, said, wish } from './testing/kit.ts';

const SHANGHAI = { at: '09:00', timeZone: 'Asia/Shanghai' };

test('a digest is due in the hour after its time, by the clock of its zone', () => {
  const table: readonly (readonly [string, string | null])[] = [
    ['2030-01-31T00:59:59Z', null],
    ['2030-01-31T01:00:00Z', '2030-01-31'],
    ['2030-01-31T01:59:59Z', '2030-01-31'],
    ['2030-01-31T02:00:00Z', null],
    ['2030-01-31T13:00:00Z', null],
  ];
  for (const [now, day] of table) assert.equal(digestDay(SHANGHAI, Date.parse(now)), day, now);
  assert.equal(digestDay({ at: '23:30', timeZone: 'UTC' }, Date.parse('2030-01-31T23:45:00Z')), '2030-01-31');
});

test('each chat with open tasks is told of them once a day, and none of others', async (t) => {
  const { desk, shown, lookAfter, later } = await openDesk(t);
  await desk.make(wish('m1'));
  const elsewhere = { ...said('m2', 'Do m2'), chat: { id: '-6', kind: 'group' as const } };
  await desk.make(wish('m2', { message: elsewhere }));
  const over = await desk.make(wish('m3'));
  assert.ok('task' in over);
  await desk.change(over.task, 'cancel', member('ann'));
  const told = (): string[] =>
    shown
      .filter(({ id }) => id.startsWith('task-digest/'))
      .map(({ target, document }) => `${target.chat} ${document.markdown}`);
  await lookAfter(SHANGHAI);
  assert.deepEqual(told(), [], 'it is early in the morning');
  later(2.8);
  await Promise.all([lookAfter(SHANGHAI), lookAfter(SHANGHAI)]);
  await lookAfter(SHANGHAI);
  assert.equal(told().length, 2);
  assert.ok(told().some((one) => /^-5 [\s\S]*Do m1/.test(one) && !/m2|m3/.test(one)));
});
