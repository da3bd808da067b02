import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imUserKey, newRunId, newScheduleId } from '../../base/ids.ts';
import { messageWith } from '../../files/testing/kit.ts';
import type { Schedule } from '../../schedules/port.ts';
import { atOnce, type Pair } from './fixture.ts';

const scheduled = (more: Partial<Schedule> = {}): Schedule => ({
  id: newScheduleId(),
  channel: newRunId(),
  chat: '7',
  owner: imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() }),
  message: { ...messageWith(), text: 'the \0 report' },
  language: 'zh',
  when: { kind: 'cron', cron: '0 9 * * *', timeZone: 'UTC' },
  state: 'active',
  why: null,
  nextAt: 1_000,
  lastAt: null,
  createdAt: 5,
  ...more,
});

export function schedulesContract(pair: () => Pair): void {
  describe('schedules', () => {
    test('a schedule is kept, listed by owner and by chat, changed and removed', async () => {
      const { store, second } = pair();
      const one = scheduled();
      assert.equal(await store.schedules.add(one), true);
      assert.equal(await second.schedules.add(one), false);
      assert.deepEqual(await second.schedules.get(one.id), one);
      assert.deepEqual(await store.schedules.list({ owner: one.owner }, 9), [one]);
      assert.deepEqual(await store.schedules.list({ channel: one.channel, chat: '7' }, 9), [one]);
      assert.deepEqual(await store.schedules.list({ channel: one.channel, chat: '8' }, 9), []);
      const paused = await second.schedules.change(one.id, { state: 'paused', why: 'the chat is gone' });
      assert.deepEqual(paused, { ...one, state: 'paused', why: 'the chat is gone' });
      assert.equal(await store.schedules.remove(one.id), true);
      assert.equal(await store.schedules.remove(one.id), false);
      assert.equal(await store.schedules.change(one.id, { state: 'active' }), null);
    });

    test('of many processes that see the same firing due, one takes it, each time', async () => {
      const { store } = pair();
      const one = scheduled();
      await store.schedules.add(one);
      let taken = 0;
      for (let round = 0; round < 50; round++) {
        const dueAt = 1_000 + round;
        const tries = await atOnce(pair(), 8, (each) =>
          each.schedules.fired({ id: one.id, nextAt: dueAt }, dueAt + 1, dueAt),
        );
        taken += tries.filter((yes) => yes).length;
      }
      assert.equal(taken, 50);
      assert.equal((await store.schedules.get(one.id))?.nextAt, 1_050);
    });

    test('what is paused or over is not due, and a firing of what was changed meanwhile is nobody’s', async () => {
      const { store } = pair();
      const [due, later, paused] = [
        scheduled({ nextAt: 1 }),
        scheduled({ nextAt: 9e15 }),
        scheduled({ state: 'paused' }),
      ];
      for (const each of [due, later, paused]) await store.schedules.add(each);
      const ids = (await store.schedules.due(2, 1_000)).map(({ id }) => id);
      assert.ok(ids.includes(due.id) && !ids.includes(later.id) && !ids.includes(paused.id));
      await store.schedules.change(due.id, { nextAt: 7 });
      assert.equal(await store.schedules.fired({ id: due.id, nextAt: 1 }, null, 2), false);
      assert.equal(await store.schedules.fired({ id: due.id, nextAt: 7 }, null, 8), true);
      assert.deepEqual((await store.schedules.get(due.id))?.state, 'done');
      assert.deepEqual(await store.schedules.list({ owner: due.owner }, 9), []);
    });
  });
}
