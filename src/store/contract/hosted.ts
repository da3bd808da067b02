import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newFileId, newRunId } from '../../base/ids.ts';
import { atOnce, type Pair } from './fixture.ts';

/** Chats that no platform keeps. */
export function hostedContract(pair: () => Pair): void {
  describe('hosted chats', () => {
    const message = (chat: string, id: string, markdown = id) =>
      ({ id, chat, author: 'person', name: 'Ann', markdown, at: 1_700_000_000_000 }) as const;

    test('messages are appended in order, listed by pages, edited', async () => {
      const { store } = pair();
      const chats = store.hosted('web');
      const chat = newRunId();
      for (const id of ['m1', 'm2', 'm3', 'm4']) await chats.append(message(chat, id));
      assert.deepEqual(await chats.list(chat, 2), [
        { ...message(chat, 'm3'), seq: 3 },
        { ...message(chat, 'm4'), seq: 4 },
      ]);
      assert.deepEqual(
        (await chats.list(chat, 10, 3)).map((entry) => entry.id),
        ['m1', 'm2'],
      );
      await chats.edit(chat, 'm1', 'changed\0');
      await chats.edit(chat, 'nobody', 'changed');
      assert.deepEqual(
        (await chats.list(chat, 10)).map((entry) => entry.markdown),
        ['changed\uFFFD', 'm2', 'm3', 'm4'],
      );
    });

    test('files are kept with their message', async () => {
      const { store, second } = pair();
      const chat = newRunId();
      const files = [{ id: newFileId(), kind: 'image', name: 'cat \0.png', mime: 'image/png', bytes: 7 } as const];
      await store.hosted('web').append({ ...message(chat, 'm'), files });
      assert.deepEqual(await second.hosted('web').list(chat, 1), [{ ...message(chat, 'm'), seq: 1, files }]);
    });

    test('the same id again yields what is stored, in this chat only', async () => {
      const { store, second } = pair();
      const chats = store.hosted('web');
      const [chat, other] = [newRunId(), newRunId()];
      const first = await chats.append(message(chat, 'm', 'first'));
      assert.deepEqual(await second.hosted('web').append(message(chat, 'm', 'second')), first);
      assert.equal((await chats.append(message(other, 'm', 'third'))).markdown, 'third');
      assert.equal((await store.hosted('other').append(message(chat, 'm', 'fourth'))).markdown, 'fourth');
      assert.equal((await chats.list(chat, 10)).length, 1);
    });

    test('many writers at once leave no gap and no double', async () => {
      const { store } = pair();
      const chat = newRunId();
      await atOnce(pair(), 20, (each, n) => each.hosted('web').append(message(chat, `m${n % 15}`)));
      const listed = await store.hosted('web').list(chat, 50);
      assert.deepEqual(
        listed.map((entry) => entry.seq),
        Array.from({ length: 15 }, (_, n) => n + 1),
      );
      assert.equal(new Set(listed.map((entry) => entry.id)).size, 15);
    });
  });
}
