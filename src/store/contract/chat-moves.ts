import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatSubject, type ImUserKey, newRunId, type ThreadKey, threadKey } from '../../base/ids.ts';
import type { Change } from '../memory/port.ts';
import type { Pair } from './fixture.ts';

const channel = 'tele/gram ü';
const at = 1_700_000_000_000;

/** A chat's conversations follow it to its new id. */
export function chatMovesContract(pair: () => Pair): void {
  describe('chat moves', () => {
    /** Two ids of one chat; the old one is the beginning of a third chat's. */
    const ids = () => {
      const old = `-${newRunId()}%`;
      return { old, longer: `${old}7`, fresh: newRunId() as string };
    };
    const of = (chat: string, more: { topic?: string; user?: string } = {}): ThreadKey =>
      threadKey({ channel, chat, ...more });

    test('conversations, and what was chosen for them, go on under the new id', async () => {
      const { store } = pair();
      const { old, longer, fresh } = ids();
      const places = [{}, { topic: '5' }, { user: '7' }, { topic: '5', user: '%/' }];
      const former = await store.threads.open(of(old));
      await store.threads.renew(of(old));
      const before = await Promise.all(places.map((more) => store.threads.open(of(old, more))));
      const other = await store.threads.open(of(longer));
      const elsewhere = await store.threads.open(threadKey({ channel: 'another', chat: old }));
      await store.choices.set(of(old), { model: 'small' }, 'telegram//7' as ImUserKey, at);

      const chat = { channel, kind: 'group', title: 'Team', imUser: null } as const;
      await store.chats.see({ ...chat, chat: old }, at);

      assert.equal(await store.chatMoves.move(channel, old, fresh, at), true);
      const listed = await store.chats.list(channel, 0, 99);
      assert.deepEqual(
        [old, fresh].map((id) => listed.some((one) => one.chat === id)),
        [false, true],
      );
      const after = await Promise.all(places.map((more) => store.threads.open(of(fresh, more))));
      assert.deepEqual(
        after.map(({ id }) => id),
        before.map(({ id }) => id),
      );
      assert.equal((await store.threads.get(former.id))?.key, of(fresh));
      assert.equal(await store.threads.find(of(old)), null);
      assert.equal((await store.choices.get(of(fresh))).model, 'small');
      assert.equal((await store.threads.open(of(longer))).id, other.id);
      assert.equal((await store.threads.open(elsewhere.key)).id, elsewhere.id);
      assert.deepEqual(await store.chatMoves.formerIds(channel, fresh), [old]);
      assert.deepEqual(await store.chatMoves.formerIds(channel, old), []);
      assert.equal(await store.chatMoves.presentId(channel, old), fresh);
      assert.equal(await store.chatMoves.presentId(channel, fresh), null);
    });

    test('what is remembered about the chat goes with it', async () => {
      const { store } = pair();
      const { old, fresh } = ids();
      const [former, present] = [chatSubject(of(old)), chatSubject(of(fresh))];
      const change = (change: Change) => store.memory.change([former], at, () => new Map([[former, change]]));
      await change({ summaries: { work: 'They build boats.' }, isOff: true });
      await store.chatMoves.move(channel, old, fresh, at);
      const { summaries, isOff } = await store.memory.read(present);
      assert.deepEqual([summaries, isOff], [{ work: 'They build boats.' }, true]);
      assert.deepEqual((await store.memory.read(former)).summaries, {});
    });

    test('what was said under the new id before the move was known becomes a former conversation', async () => {
      const { store } = pair();
      const { old, fresh } = ids();
      const kept = await store.threads.open(of(old));
      const early = await store.threads.open(of(fresh));
      await store.choices.set(of(old), { model: 'small' }, 'telegram//7' as ImUserKey, at);
      await store.choices.set(of(fresh), { model: 'large' }, 'telegram//7' as ImUserKey, at);
      const chat = { channel, kind: 'group', title: 'Team', imUser: null } as const;
      for (const id of [old, fresh]) await store.chats.see({ ...chat, chat: id }, at);
      await store.chatMoves.move(channel, old, fresh, at);
      const chats = (await store.chats.list(channel, 0, 99)).filter((one) => [old, fresh].includes(one.chat));
      assert.deepEqual(
        chats.map((one) => one.chat),
        [fresh],
      );
      const listed = await store.threads.list(of(fresh), 9);
      assert.deepEqual(
        listed.map(({ id }) => id),
        [kept.id, early.id],
      );
      assert.equal((await store.choices.get(of(fresh))).model, 'large');
    });

    test('a move that is told often, several times at once, is done once', async () => {
      const { store } = pair();
      const { old, fresh } = ids();
      const kept = await store.threads.open(of(old));
      const done = await Promise.all(Array.from({ length: 6 }, () => store.chatMoves.move(channel, old, fresh, at)));
      assert.equal(done.filter(Boolean).length, 1);
      await store.threads.renew(of(fresh));
      const current = await store.threads.renew(of(fresh));
      assert.equal(await store.chatMoves.move(channel, old, fresh, at), false);
      assert.equal((await store.threads.open(of(fresh))).id, current.id);
      assert.equal((await store.threads.get(kept.id))?.key, of(fresh));
    });
  });
}
