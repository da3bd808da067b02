import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newRunId } from '../../base/ids.ts';
import { failsWith, type Pair } from './fixture.ts';

/** Settings, and the state of channels. */
export function valuesContract(pair: () => Pair): void {
  describe('settings', () => {
    test('values are kept, replaced and deleted', async () => {
      const { store, second } = pair();
      const key = `key ${newRunId()}`;
      assert.equal(await store.settings.get(key), undefined);
      for (const value of [{ a: [1, null, '谢谢\0'] }, null, false, 'text']) {
        await store.settings.set(key, value);
        assert.deepEqual(await second.settings.get(key), value);
      }
      await store.settings.delete(key);
      await store.settings.delete(key);
      assert.equal(await store.settings.get(key), undefined);
      await assert.rejects(store.settings.set(key, undefined), failsWith('bad_input'));
    });
  });

  test('the state of channels is kept by channel and key', async () => {
    const { store, second } = pair();
    const key = newRunId();
    assert.equal(await store.channelState.get('telegram', key), null);
    await store.channelState.set('telegram', key, '41');
    await store.channelState.set('telegram', key, '42');
    await store.channelState.set('slack', key, 'x');
    assert.equal(await second.channelState.get('telegram', key), '42');
    assert.equal(await second.channelState.get('slack', key), 'x');
  });
}
