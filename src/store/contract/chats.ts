import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imUserKey, newRunId } from '../../base/ids.ts';
import type { Pair } from './fixture.ts';

export function chatsContract(pair: () => Pair): void {
  describe('chats', () => {
    test('chats are known by channel and by whom they are with, with their newest title', async () => {
      const { store, second } = pair();
      const channel = newRunId();
      const ann = imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() });
      const dm = { channel, chat: '7', kind: 'dm', title: null, imUser: ann } as const;
      const group = { channel, chat: '-100', kind: 'group', title: 'Team', imUser: null } as const;
      await store.chats.see(dm, 1_000);
      await store.chats.see(group, 2_000);
      await second.chats.see({ ...group, title: null }, 3_000);
      await second.chats.see(dm, 4_000);
      const [first, next] = await store.chats.list(channel, 0, 10);
      assert.deepEqual(first, { ...dm, firstSeenAt: 1_000, lastSeenAt: 4_000 });
      assert.deepEqual(next, { ...group, firstSeenAt: 2_000, lastSeenAt: 3_000 });
      assert.equal((await store.chats.list(channel, 3_000, 10)).length, 1);
      assert.deepEqual(await second.chats.of(ann), [first]);
      await store.chats.see({ ...group, title: 'The team' }, 3_001);
      assert.equal((await store.chats.list(channel, 0, 10))[1]?.title, 'The team');
    });
  });
}
