import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOver } from './reset.ts';

const at = (text: string): number => Date.parse(text);

test('a conversation is over when it was idle for too long, or when a new day has begun since', () => {
  const hour = { idleMs: 3_600_000, dailyAtMinute: null };
  const atFour = { idleMs: null, dailyAtMinute: 240 };
  const table: [Parameters<typeof isOver>[0], string, string, string, boolean][] = [
    [{ idleMs: null, dailyAtMinute: null }, '2026-01-01T00:00Z', '2027-01-01T00:00Z', 'UTC', false],
    [hour, '2026-01-01T10:00Z', '2026-01-01T10:59Z', 'UTC', false],
    [hour, '2026-01-01T10:00Z', '2026-01-01T11:00Z', 'UTC', true],
    [atFour, '2026-01-01T03:59Z', '2026-01-01T04:00Z', 'UTC', true],
    [atFour, '2026-01-01T04:00Z', '2026-01-02T03:59Z', 'UTC', false],
    [atFour, '2026-01-01T23:00Z', '2026-01-02T05:00Z', 'UTC', true],
    [atFour, '2026-01-01T19:59Z', '2026-01-01T20:00Z', 'Asia/Shanghai', true],
    [atFour, '2026-01-01T20:00Z', '2026-01-02T03:00Z', 'Asia/Shanghai', false],
  ];
  for (const [policy, last, now, zone, expected] of table)
    assert.equal(isOver(policy, at(last), at(now), zone), expected, `${last} ${now} ${zone}`);
});
