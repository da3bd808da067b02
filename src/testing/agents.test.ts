import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('AGENTS.md names no path and no script that is not there', () => {
  const text = readFileSync(join(root, 'AGENTS.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:src|channels|skills|deploy|docs|\.ci)\/[\w./-]*)`/g)].map(
    (match) => match[1] ?? '',
  );
  assert.ok(paths.length > 10, 'a map names places');
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  );
  const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const named = [...text.matchAll(/`npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
  assert.deepEqual(
    named.filter((script) => scripts[script] === undefined),
    [],
  );
});
