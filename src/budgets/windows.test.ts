import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOf, hourOf } from './windows.ts';

const iso = ({ start, end }: { readonly start: number; readonly end: number }): string[] =>
  [start, end].map((at) => new Date(at).toISOString().slice(0, 16));

const days: readonly (readonly [at: string, zone: string, start: string, end: string])[] = [
  ['2026-03-04T05:06:07Z', 'UTC', '2026-03-04T00:00', '2026-03-05T00:00'],
  ['2026-03-04T00:00:00Z', 'UTC', '2026-03-04T00:00', '2026-03-05T00:00'],
  ['2026-03-04T16:00:00Z', 'Asia/Shanghai', '2026-03-04T16:00', '2026-03-05T16:00'],
  ['2026-03-04T15:59:59.999Z', 'Asia/Shanghai', '2026-03-03T16:00', '2026-03-04T16:00'],
  ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00', '2026-03-29T22:00'], // 23 hours
  ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00', '2026-10-25T23:00'], // 25 hours
  ['2026-03-04T05:00:00Z', 'Asia/Kathmandu', '2026-03-03T18:15', '2026-03-04T18:15'],
  ['2026-09-06T12:00:00Z', 'America/Santiago', '2026-09-06T04:00', '2026-09-07T03:00'], // midnight is skipped
];

for (const [at, zone, start, end] of days)
  test(`the day of ${at} in ${zone}`, () => {
    assert.deepEqual(iso(dayOf(Date.parse(at), zone)), [start, end]);
  });

test('windows hold the moment, follow each other without a gap, and are the same for all their moments', () => {
  const moment = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2028-01-01') });
  const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Pacific/Chatham');
  const property = fc.property(moment, zone, fc.double({ min: 0, max: 0.999, noNaN: true }), (at, timeZone, share) => {
    for (const windowOf of [hourOf, (one: number) => dayOf(one, timeZone)]) {
      const window = windowOf(at);
      assert.ok(window.start <= at && at < window.end);
      assert.deepEqual(windowOf(Math.floor(window.start + (window.end - window.start) * share)), window);
      assert.equal(windowOf(window.end).start, window.end);
    }
  });
  fc.assert(property, { numRuns: 60 });
});
