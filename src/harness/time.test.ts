import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, writeMoment } from './time.ts';

const at = Date.UTC(2026, 2, 1, 23, 5);

test('a moment is written in the zone asked for', () => {
  assert.equal(writeMoment(at, 'Asia/Shanghai'), 'Monday, 2026-03-02 07:05 (Asia/Shanghai, UTC+08:00)');
  assert.equal(writeMoment(at, 'America/New_York'), 'Sunday, 2026-03-01 18:05 (America/New_York, UTC-05:00)');
  assert.equal(writeMoment(at, 'UTC'), 'Sunday, 2026-03-01 23:05 (UTC)');
});

test('midnight is 00, and a zone that does not exist is UTC', () => {
  assert.equal(writeMoment(Date.UTC(2026, 0, 1), 'Mars/Olympus'), 'Thursday, 2026-01-01 00:00 (UTC)');
  assert.equal(isTimeZone('Mars/Olympus'), false);
});
