import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLeast, memoryShare, parseInfo, problemOf, warningsOf } from './health.ts';

const good = { version: '7.0.15', policy: 'noeviction', appendOnly: true, sync: 'always', role: 'master' };

test('reads what INFO answers', () => {
  const info = [
    '# Server',
    'redis_version:7.0.15',
    'maxmemory_policy:noeviction',
    'aof_enabled:1',
    'role:master',
    '',
  ].join('\r\n');
  assert.deepEqual(parseInfo(info, 'always'), good);
  assert.deepEqual(parseInfo(''), { version: '0', policy: '', appendOnly: false, sync: '', role: 'master' });
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

test('warns of what a crash of the server may lose, as it is set up', () => {
  assert.deepEqual(warningsOf(good), []);
  assert.deepEqual(warningsOf({ ...good, sync: '' }), []);
  assert.match(
    warningsOf({ ...good, sync: 'everysec' })[0] ?? '',
    /up to two seconds .* appendfsync always loses none/,
  );
  assert.match(warningsOf({ ...good, sync: 'no' })[0] ?? '', /half a minute .* appendfsync always loses none/);
  assert.match(warningsOf({ ...good, appendOnly: false })[0] ?? '', /appendonly yes/);
});
