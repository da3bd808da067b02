import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newRunId, type ThreadKey, threadKey } from '../../base/ids.ts';
import type { OverheardMessage, Store } from '../port.ts';
import type { Pair } from './fixture.ts';

export function overheardContract(pair: () => Pair): void {
  describe('overheard', () => {
    const group = () => {
      const [channel, chat] = [newRunId(), 'g1'];
      const place = threadKey({ channel, chat });
      const said = (n: number, more: Partial<OverheardMessage> = {}): OverheardMessage => ({
        ...{ channel, chat, id: String(n), place, name: 'Bo', text: `text ${n}`, at: n, keptAt: 1_000 + n },
        ...more,
      });
      return { channel, chat, place, said };
    };
    const texts = async (store: Store, place: ThreadKey, since = 0): Promise<string[]> =>
      (await store.overheard.list(place, since)).map(({ text }) => text);

    test('the newest messages of a place are kept, each once, and those of no other', async () => {
      const { store, second } = pair();
      const { place, said, channel } = group();
      const topic = threadKey({ channel, chat: 'g1', topic: 't' });
      await store.overheard.keep(said(9, { place: topic }), 3);
      for (let n = 1; n <= 5; n++) await store.overheard.keep(said(n), 3);
      await second.overheard.keep(said(5, { text: 'again' }), 3);
      assert.deepEqual(await second.overheard.list(place, 0), [said(3), said(4), said(5)]);
      assert.deepEqual(await texts(store, topic), ['text 9']);
      assert.deepEqual(await second.overheard.find(channel, 'g1', '4'), said(4));
      assert.equal(await second.overheard.find(channel, 'g2', '4'), null);
    });

    test('what is edited changes, what is removed is gone, and what is old is neither told nor kept', async () => {
      const { store, second } = pair();
      const { channel, chat, place, said } = group();
      for (let n = 1; n <= 4; n++) await store.overheard.keep(said(n), 10);
      await second.overheard.edit(channel, chat, '2', 'other words');
      await second.overheard.edit(channel, 'g2', '3', 'elsewhere');
      await store.overheard.remove(channel, chat, ['4', 'unknown']);
      await store.overheard.remove(channel, chat, []);
      assert.deepEqual(await texts(store, place), ['text 1', 'other words', 'text 3']);
      assert.deepEqual(await texts(store, place, 1_002), ['text 3']);
      assert.ok((await store.overheard.deleteBefore(1_002)) >= 1);
      assert.deepEqual(await texts(second, place), ['other words', 'text 3']);
      await store.overheard.deleteBefore(10_000);
    });

    test('a chat that gets another id takes along what was overheard in it', async () => {
      const { store } = pair();
      const { channel, place, said } = group();
      const [topic, moved] = [
        threadKey({ channel, chat: 'g1', topic: 't' }),
        threadKey({ channel, chat: 'g2', topic: 't' }),
      ];
      await store.overheard.keep(said(1), 10);
      await store.overheard.keep(said(2, { place: topic }), 10);
      await store.overheard.keep(said(1, { chat: 'g2', place: threadKey({ channel, chat: 'g2' }), text: 'new' }), 10);
      await store.chatMoves.move(channel, 'g1', 'g2', 1);
      assert.deepEqual(await texts(store, place), []);
      assert.deepEqual(await texts(store, threadKey({ channel, chat: 'g2' })), ['new']);
      assert.deepEqual(await texts(store, moved), ['text 2']);
    });
  });
}
