import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { webhookRefusals } from './webhook-refusals.ts';

test('a webhook that refuses everything says that its secret may be wrong, and does not flood the log', () => {
  let now = 0;
  const warned: unknown[] = [];
  const note = webhookRefusals({ ...silentLogger, warn: (fields) => void warned.push(fields) }, () => now);
  note('slack', { status: 200 });
  for (const channel of ['slack', 'slack', 'telegram']) note(channel, { status: 401 });
  now = 599_999;
  note('slack', { status: 401 });
  now = 600_000;
  note('slack', { status: 401 });
  assert.deepEqual(warned, [{ channel: 'slack' }, { channel: 'telegram' }, { channel: 'slack' }]);
});
