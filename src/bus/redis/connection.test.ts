import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { logErrors } from './connection.ts';

test('an outage that every connection notices is one line in the log, not one for each', () => {
  const warned: string[] = [];
  const log = { ...silentLogger, warn: (_: object, message: string) => void warned.push(message) };
  const sources = ['Redis connection trouble', 'Redis connection trouble', 'BullMQ queue trouble'].map((message) => {
    const source = new EventEmitter();
    logErrors(source, log, message);
    return source;
  });
  for (let attempt = 0; attempt < 3; attempt++)
    for (const source of sources) source.emit('error', new Error('connect ECONNREFUSED'));
  assert.deepEqual(warned, ['Redis connection trouble']);
});
