import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLATFORMS_PAGE, platformsPage } from './platforms.ts';

test('the table of platforms says what the manifests say', () => {
  const written = readFileSync(join(import.meta.dirname, '../../..', PLATFORMS_PAGE), 'utf8');
  assert.equal(written, platformsPage(), 'out of date: run `npm run docs`');
});
