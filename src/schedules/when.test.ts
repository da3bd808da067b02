import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextAfter, readAt, readEvery } from './when.ts';

const ZONE = 'Europe/Berlin';
const at = (text: string): number => Date.parse(text);
const now = at('2026-03-10T10:00:00+01:00');

test('what people type behind /every', () => {
  const table: [string, string | null, string][] = [
    ['day 9:00 tell me the news', '0 9 * * *', 'tell me the news'],
    ['weekday at 9 stand-up', '0 9 * * 1-5', 'stand-up'],
    ['Monday 18:30, the report', '30 18 * * 1', 'the report'],
    ['30 minutes look', '*/30 * * * *', 'look'],
    ['2 hours look', '0 */2 * * *', 'look'],
    ['每天9点 早报', '0 9 * * *', '早报'],
    ['工作日 9点30分 站会', '30 9 * * 1-5', '站会'],
    ['每周一 8：05 周报', '5 8 * * 1', '周报'],
    ['"0 9 1 * *" the rent', '0 9 1 * *', 'the rent'],
    ['day 25:00 x', null, ''],
    ['0 minutes x', null, ''],
    ['moonday 9 x', null, ''],
    ['', null, ''],
  ];
  for (const [text, cron, rest] of table) {
    const read = readEvery(text, ZONE);
    assert.deepEqual(
      read === null ? null : [read.when, read.rest],
      cron === null ? null : [{ kind: 'cron', cron, timeZone: ZONE }, rest],
      text,
    );
  }
  assert.throws(() => readEvery('"9 9 9" x', ZONE), { code: 'bad_input' });
  assert.throws(() => readEvery('"0 99 * * *" x', ZONE), { code: 'bad_input' });
});

test('what people type behind /at', () => {
  const table: [string, string | null, string][] = [
    ['18:30 call Ann', '2026-03-10T18:30+01:00', 'call Ann'],
    ['9:00 call Ann', '2026-03-11T09:00+01:00', 'call Ann'],
    ['today 18:30 call', '2026-03-10T18:30+01:00', 'call'],
    ['today 9:00 call', null, ''],
    ['tomorrow 9 call', '2026-03-11T09:00+01:00', 'call'],
    ['明天9点半 x', '2026-03-11T09:00+01:00', '半 x'],
    ['in 20 minutes: tea', '2026-03-10T10:20+01:00', 'tea'],
    ['20分钟后 喝茶', '2026-03-10T10:20+01:00', '喝茶'],
    ['2026-07-01 08:15 swim', '2026-07-01T08:15+02:00', 'swim'],
    ['2026-02-30 08:15 swim', null, ''],
    ['2025-07-01 08:15 swim', null, ''],
    ['soon', null, ''],
  ];
  for (const [text, moment, rest] of table) {
    const read = readAt(text, ZONE, now);
    assert.deepEqual(
      read === null ? null : [read.when, read.rest],
      moment === null ? null : [{ kind: 'once', at: at(moment) }, rest],
      text,
    );
  }
});

test('days keep their hours when the clocks change', () => {
  const daily = { kind: 'cron', cron: '30 9 * * *', timeZone: ZONE } as const;
  assert.equal(nextAfter(daily, at('2026-03-28T12:00+01:00')), at('2026-03-29T09:30+02:00'));
  assert.equal(nextAfter(daily, at('2026-10-24T12:00+02:00')), at('2026-10-25T09:30+01:00'));
  // The hour that does not exist is passed over, and the one that comes twice counts once.
  const night = { ...daily, cron: '30 2 * * *' };
  const inSpring = nextAfter(night, at('2026-03-28T12:00+01:00')) ?? 0;
  assert.ok(inSpring > at('2026-03-29T01:59+01:00') && inSpring <= at('2026-03-30T02:30+02:00'));
  const first = nextAfter(night, at('2026-10-24T12:00+02:00')) ?? 0;
  assert.ok((nextAfter(night, first) ?? 0) - first > 20 * 3_600_000);
  assert.equal(nextAfter({ kind: 'once', at: 5 }, 5), null);
});
