import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLeast, memoryShare, parseInfo, problemOf } from './health.ts';

const good = { version: '7.0.15', policy: 'noeviction', appendOnly: true, role: 'master' };

test('reads what INFO answers', () => {
  const info = [
    '# Server',
    'redis_version:7.0.15',
    'maxmemory_policy:noeviction',
    'aof_enabled:1',
    'role:master',
    '',
  ].join('\r\n');
  assert.deepEqual(parseInfo(info), good);
  assert.deepEqual(parseInfo(''), { version: '0', policy: '', appendOnly: false, role: 'master' });
});

test('tells how much of its memory a server has used, as the server itself counts', () => {
  const info = (most: number): string =>
    [`used_memory:900`, `maxmemory:${most}`, 'mem_not_counted_for_evict:200', ''].join('\r\n');
  assert.equal(memoryShare(info(1_000)), 0.7);
  assert.equal(memoryShare(info(0)), 0);
  assert.equal(memoryShare(''), 0);
});

test('compares versions by number', () => {
  assert.equal(atLeast('6.2.0', '6.2'), true);
  assert.equal(atLeast('6.0.16', '6.2'), false);
  assert.equal(atLeast('10.0', '7.0'), true);
});

test('says what is wrong with a server, and what to do', () => {
  assert.equal(problemOf(good), null);
  assert.equal(problemOf({ ...good, policy: '' }), null);
  assert.match(problemOf({ ...good, version: '6.0.16' }) ?? '', /Install Redis 6\.2/);
  assert.match(problemOf({ ...good, policy: 'volatile-lru' }) ?? '', /Set maxmemory-policy noeviction/);
  assert.match(problemOf({ ...good, role: 'slave' }) ?? '', /primary/);
});
