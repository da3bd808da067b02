import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileId } from '../../base/ids.ts';
import { fakeRun } from '../testing/fake-run.ts';
import { userSays } from '../testing/run.ts';
import { title, titleOf } from './title.ts';

test('a title is the first words, on one line, cut at a space with room for the ellipsis', () => {
  assert.equal(titleOf([userSays('  Book a\n table\u202e ')]), 'Book a table');
  const long = titleOf([userSays('word '.repeat(40))]);
  assert.match(long, /^(word )+word…$/);
  assert.ok(long.length <= 60);
  assert.ok(titleOf([userSays('😀'.repeat(60))]).isWellFormed());
  const file = { id: 'f' as FileId, kind: 'file', name: 'a.pdf', mime: '', bytes: 1 } as const;
  assert.equal(titleOf([userSays(''), { ...userSays(''), files: [file] }]), 'a.pdf');
  assert.equal(titleOf([userSays('')]), '');
});

test('a first turn that was stopped or failed leaves a title all the same', async () => {
  for (const status of ['cancelled', 'step_limit'] as const) {
    const run = fakeRun();
    await title.create().afterRun?.(run, { status, text: '' });
    assert.deepEqual(run.events, [{ type: 'title', text: 'Hi' }]);
  }
});

test('only a new conversation is given one', async () => {
  const run = fakeRun();
  const result = { status: 'completed', text: '' } as const;
  await title.create().afterRun?.(run, result);
  assert.deepEqual(run.events, [{ type: 'title', text: 'Hi' }]);
  const fresh = fakeRun();
  await title.create().afterRun?.({ ...fresh, turnStart: 3 }, result);
  assert.deepEqual(fresh.events, []);
});
