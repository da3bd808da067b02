import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { feishuConfig } from './config.ts';
import { eventTypes } from './normalize/index.ts';

const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');

test('the README names every event that is read, and no other', () => {
  const [, events = '', callbacks = ''] =
    /_Event configuration_([\s\S]*?)_Callback configuration_([\s\S]*?)\n6\./.exec(readme) ?? [];
  const named = [...(events + callbacks).matchAll(/`((?:im|application|card)\.[\w.]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), eventTypes.toSorted());
});

test('the README’s scopes can be pasted', () => {
  const { scopes } = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '');
  assert.deepEqual(Object.keys(scopes), ['tenant', 'user']);
  assert.equal(new Set(scopes.tenant).size, scopes.tenant.length);
  for (const scope of ['im:message', 'im:resource', 'cardkit:card:write', 'contact:user.base:readonly'])
    assert.ok(scopes.tenant.includes(scope), scope);
});

test('the README explains every setting', () => {
  for (const key of Object.keys(feishuConfig.shape)) assert.ok(readme.includes(`| \`${key}\``), key);
});
