import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { imUserKey, newFileId, newThreadId } from '../../base/ids.ts';
import type { NewFile } from '../port.ts';
import { atOnce, type Pair } from './fixture.ts';

const NOW = 1_700_000_000_000;

const newFile = (more: Partial<NewFile> = {}): NewFile => ({
  id: newFileId(),
  thread: newThreadId(),
  channel: 'telegram',
  chat: '-100/1',
  owner: imUserKey({ channelType: 'telegram', tenant: '', user: '7' }),
  direction: 'in',
  kind: 'file',
  name: 'plan.pdf',
  mime: 'application/pdf',
  createdAt: NOW,
  ...more,
});

/** Every byte value, in an order that shows when pieces are mixed up. */
const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, n) => (n * 31 + (n >> 8)) % 256);

/** Files that came in or were made. */
export function filesContract(pair: () => Pair): void {
  describe('files', () => {
    test('a file is read by another process as it was stored', async () => {
      const { store, second } = pair();
      for (const count of [0, 1, 1_000_000, 2_500_001]) {
        const [file, content] = [newFile(), bytes(count)];
        const sha256 = createHash('sha256').update(content).digest('hex');
        const meta = { ...file, bytes: count, sha256 };
        assert.deepEqual(await store.files.put(file, content), meta);
        assert.deepEqual(await second.files.get(file.id), meta);
        assert.ok(
          Buffer.from(content).equals((await second.files.read(file.id)) ?? Buffer.from('nothing')),
          `${count}`,
        );
      }
    });

    test('what is not there is null', async () => {
      const { store } = pair();
      assert.equal(await store.files.get(newFileId()), null);
      assert.equal(await store.files.read(newFileId()), null);
      assert.deepEqual(await store.files.list(newThreadId()), []);
    });

    test('what is stored under an id stays, whoever comes later and however many come at once', async () => {
      const { store } = pair();
      const file = newFile();
      const metas = await atOnce(pair(), 6, (each, n) => each.files.put({ ...file, name: `${n}` }, bytes(n + 1)));
      const [first] = metas;
      for (const meta of metas) assert.deepEqual(meta, first);
      assert.equal((await store.files.read(file.id))?.byteLength, first?.bytes);
    });

    test('names that a database cannot hold are made so that it can', async () => {
      const { store, second } = pair();
      const stored = await store.files.put(newFile({ name: 'a\0\ud800.txt' }), bytes(3));
      assert.equal(stored.name, 'a\uFFFD\uFFFD.txt');
      assert.deepEqual(await second.files.get(stored.id), stored);
    });

    test('files are listed by thread, oldest first', async () => {
      const { store } = pair();
      const thread = newThreadId();
      for (const createdAt of [NOW + 1, NOW]) await store.files.put(newFile({ thread, createdAt }), bytes(1));
      await store.files.put(newFile(), bytes(1));
      assert.deepEqual(
        (await store.files.list(thread)).map(({ createdAt }) => createdAt),
        [NOW, NOW + 1],
      );
    });

    test('what is older than a moment is deleted with its bytes, and counted', async () => {
      const { store, second } = pair();
      const longAgo = 1_000;
      await store.files.deleteBefore(longAgo + 2);
      const old = await Promise.all(
        Array.from({ length: 120 }, () => store.files.put(newFile({ createdAt: longAgo }), bytes(2))),
      );
      const kept = await store.files.put(newFile({ createdAt: longAgo + 1 }), bytes(2));
      assert.equal(await second.files.deleteBefore(longAgo + 1), old.length);
      assert.equal(await store.files.read(old[0]?.id ?? newFileId()), null);
      assert.notEqual(await store.files.read(kept.id), null);
      const again = newFile({ id: kept.id, createdAt: NOW });
      await store.files.deleteBefore(longAgo + 2);
      assert.equal((await store.files.put(again, bytes(1))).createdAt, NOW);
    });
  });
}
