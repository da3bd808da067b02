import assert from 'node:assert/strict';
import { test } from 'node:test';
import { synopsisOf } from './synopsis.ts';

test('JSON is told by its keys and sizes, never by its values', () => {
  const text = JSON.stringify({ items: [{ id: 1, secret: 'hunter2', at: { x: 1 } }], next: null, 'a b': {} });
  const { extension, facts } = synopsisOf(text);
  assert.equal(extension, 'json');
  assert.match(
    facts,
    /^JSON, an object with items \(a list of 1, the first an object with id, secret, at\), next, a b/,
  );
  assert.doesNotMatch(facts, /hunter2/);
  assert.match(synopsisOf('[1,2]').facts, /a list of 2, the first a number/);
  assert.equal(synopsisOf('{"broken": ').extension, 'txt');
});

test('a table is told by its columns, quoted separators and all', () => {
  const rows = Array.from({ length: 40 }, (_, n) => `${n},"a, ${n}",x`).join('\n');
  assert.deepEqual(synopsisOf(`id,name,kind\n${rows}\n`).facts, 'A table of 40 rows; columns: id, name, kind.');
  assert.match(synopsisOf(`a;b\n${'1;2\n'.repeat(9)}`).facts, /9 rows; columns: a, b/);
  assert.equal(synopsisOf('Well, this is it.\n'.repeat(9)).extension, 'txt', 'sentences with commas are no table');
  assert.equal(synopsisOf('1,2\n'.repeat(9)).extension, 'txt', 'nothing names the columns');
});

test('text is told by its headings, and by whole lines of its head and tail', () => {
  const text = `# One\n${'some words here\n'.repeat(400)}## Two\nthe end`;
  const { facts, head, tail } = synopsisOf(text);
  assert.equal(facts, 'Text of 403 lines.\nHeadings:\n# One\n## Two');
  assert.match(head, /^# One\n[\s\S]*some words here$/);
  assert.match(tail, /^some words here\n[\s\S]*the end$/);
  assert.ok(head.length <= 2_000 && tail.length <= 1_000);
});

test('half an emoji at a cut is no problem', () => {
  const { head, tail } = synopsisOf(`x${'😀'.repeat(5_000)}`);
  assert.ok(head.isWellFormed() && tail.isWellFormed());
});
