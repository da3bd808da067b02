import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationIn } from './duration.ts';
import { say } from './sentences.ts';

test('a limit of four seconds is not called a minute', () => {
  const table: [number, string, string][] = [
    [0, '1 second', '1秒钟'],
    [4_000, '4 seconds', '4秒钟'],
    [59_000, '59 seconds', '59秒钟'],
    [60_000, '1 minute', '1分钟'],
    [89_000, '1 minute', '1分钟'],
    [90 * 60_000, '90 minutes', '90分钟'],
    [120 * 60_000, '2 hours', '2小时'],
  ];
  for (const [ms, en, zh] of table) assert.deepEqual([durationIn('en', ms), durationIn('zh', ms)], [en, zh]);
});

test('one thing is not spoken of as several', () => {
  const of = (count: number) => [say('en', 'broadcast_done', { count }), say('zh', 'broadcast_done', { count })];
  assert.deepEqual(of(1), ['It goes to 1 chat.', '正在发送到 1 个会话。']);
  assert.deepEqual(of(2), ['It goes to 2 chats.', '正在发送到 2 个会话。']);
  assert.equal(say('en', 'broadcast_done'), 'It goes to {count} {count|chat|chats}.');
});
