import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

/**
 * Which room may import from which. `types` stands for imports of types only, which leave no trace at run time. Only
 * `main.ts` (with its `app/`) knows everybody; tests may look anywhere.
 */
const arrows: Readonly<Record<string, { readonly code: readonly string[]; readonly types?: readonly string[] }>> = {
  base: { code: [] },
  format: { code: ['base'] },
  channel: { code: ['base'] },
  channels: { code: ['base', 'channel', 'format'] },
  bus: { code: ['base'], types: ['channel'] },
  store: { code: ['base'], types: ['channel', 'harness', 'tasks', 'schedules'] },
  net: { code: ['base'] },
  harness: { code: ['base', 'net'] },
  budgets: { code: ['base'], types: ['store', 'bus'] },
  memory: { code: ['base', 'store'], types: ['harness'] },
  schedules: { code: ['base', 'channel'] },
  tasks: { code: ['base', 'channel', 'format'], types: ['bus', 'store', 'harness'] },
  files: { code: ['base', 'bus', 'store', 'channel', 'format'], types: ['harness'] },
  people: { code: ['base', 'store', 'channel'] },
  routing: { code: ['base', 'people', 'store', 'channel'] },
  intake: { code: ['base', 'bus', 'people', 'routing', 'store', 'channel'], types: ['runs'] },
  runs: {
    code: ['base', 'bus', 'people', 'store', 'channel', 'format', 'files', 'tasks'],
    types: ['harness', 'routing', 'budgets', 'memory'],
  },
  delivery: { code: ['base', 'bus', 'people', 'store', 'channel'] },
  telemetry: { code: ['base'] },
  config: { code: ['base', 'channel', 'net'] },
  admin: { code: ['base', 'channel'], types: ['store', 'harness', 'bus', 'people', 'routing'] },
  cli: { code: ['base'], types: ['channel', 'bus', 'store', 'harness', 'config', 'admin', 'people', 'routing'] },
  simulator: { code: ['base'] },
};

const root = join(import.meta.dirname, '../..');

/** `src/bus/redis/x.ts` → `bus`; `channels/telegram/x.ts` → `channels`. */
const roomOf = (path: string): string => {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second : top;
};

function importsOf(path: string): { readonly to: string; readonly typeOnly: boolean }[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = [...text.matchAll(/^(import|export)\s+(type\s+)?[^;'"]*?from\s+'(\.[^']+)'/gm)].map((match) => ({
    to: relative(root, join(root, dirname(path), match[3] ?? '')),
    typeOnly: match[2] !== undefined,
  }));
  const lazy = [...text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g)].map((match) => ({
    to: relative(root, join(root, dirname(path), match[1] ?? '')),
    typeOnly: false,
  }));
  return [...found, ...lazy];
}

const sources = globSync(['src/**/*.ts', 'channels/**/*.ts'], { cwd: root }).filter(
  (path) => !path.endsWith('.test.ts') && !/\/(testing|contract)\//.test(path),
);

test('arrows between rooms go one way', () => {
  const wrong: string[] = [];
  for (const path of sources) {
    const room = roomOf(path);
    if (room === 'main.ts' || room === 'app') continue;
    const allowed = arrows[room];
    assert.ok(allowed !== undefined, `${path}: a room that the arrows do not know`);
    for (const { to, typeOnly } of importsOf(path)) {
      const other = roomOf(to);
      if (other === room) continue;
      const fine = allowed.code.includes(other) || (typeOnly && (allowed.types ?? []).includes(other));
      if (!fine) wrong.push(`${path} → ${to}${typeOnly ? ' (type)' : ''}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('an adapter never imports another adapter', () => {
  const typeOf = (path: string): string => path.split('/')[1] ?? '';
  const wrong = sources
    .filter((path) => path.startsWith('channels/'))
    .flatMap((path) => importsOf(path).map(({ to }) => [path, to] as const))
    .filter(([path, to]) => to.startsWith('channels/') && typeOf(to) !== typeOf(path));
  assert.deepEqual(wrong, []);
});

test('nothing outside an adapter asks for a platform by name', () => {
  const asks = /[!=]==?\s*'(feishu|slack|telegram|wechat|wecom)'/;
  const wrong = sources
    .filter((path) => path.startsWith('src/') && !path.startsWith('src/simulator/'))
    .filter((path) => asks.test(readFileSync(join(root, path), 'utf8')));
  assert.deepEqual(wrong, []);
});
