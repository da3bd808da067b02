import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calledFor } from './activation.ts';

const known = (name: string): boolean => ['report', 'data-analysis'].includes(name);

test('a skill is called by its name at the beginning of a message', () => {
  for (const text of [
    '/report last week',
    '/report',
    ' /Report: last week',
    '/report，上周的',
    '／report 上周的',
    '/report@antler_bot last week',
    '@Antler /report last week',
    '/skill report last week',
    '/skill@antler_bot report',
    '/report\nlast week',
  ])
    assert.deepEqual(calledFor(text, known), { kind: 'skill', name: 'report' }, text);
  assert.deepEqual(calledFor('/data_analysis of this', known), { kind: 'skill', name: 'data-analysis' });
});

test('anything else with a slash is chat', () => {
  for (const text of ['/reports', '/mnt/data is full', 'use /report', '/report/x', '/', '/other', '/skills report', ''])
    assert.equal(calledFor(text, known), null, text);
});

test('a skill that nobody knows is no chat when it was called a skill', () => {
  assert.deepEqual(calledFor('/skill nothing at all', known), { kind: 'unknown', name: 'nothing' });
  assert.deepEqual(calledFor('/skill', known), { kind: 'unknown', name: '' });
});
