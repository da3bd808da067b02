import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { pickSkills } from './port.ts';
import { openShelf } from './shelf.ts';
import { openViews } from './views.ts';

function setUp(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), 'antler-shelf-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  let now = 0;
  const clock = { now: () => now };
  const roots = { public: join(base, 'public'), custom: join(base, 'custom') };
  return {
    base,
    clock,
    roots,
    shelf: openShelf({ ...roots, clock, log: silentLogger }),
    later: (): void => {
      now += 2_000;
    },
    put: (origin: 'public' | 'custom', name: string, description = 'Helps.', body = 'Do it.'): void => {
      mkdirSync(join(base, origin, name), { recursive: true });
      const text = `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
      writeFileSync(join(base, origin, name, 'SKILL.md'), text);
    },
  };
}

test('what is put down, changed or removed is there without a restart', async (t) => {
  const { shelf, put, later, roots } = setUp(t);
  assert.deepEqual([...(await shelf.contents()).skills.keys()], []);
  put('public', 'report');
  put('custom', 'abc');
  later();
  assert.deepEqual([...(await shelf.contents()).skills.keys()], ['abc', 'report']);
  put('custom', 'report', 'Our own.');
  later();
  assert.equal((await shelf.contents()).skills.get('report')?.description, 'Our own.');
  rmSync(join(roots.custom, 'report'), { recursive: true });
  later();
  assert.equal((await shelf.contents()).skills.get('report')?.origin, 'public');
});

test('a broken skill is left out alone, and does not uncover the one it stands before', async (t) => {
  const { shelf, put, later, roots } = setUp(t);
  put('public', 'report');
  put('public', 'slides');
  put('custom', 'report');
  writeFileSync(join(roots.custom, 'report', 'SKILL.md'), 'oops');
  later();
  const contents = await shelf.contents();
  assert.deepEqual([...contents.skills.keys()], ['slides']);
  assert.match(contents.broken[0]?.problem ?? '', /line 1: expected front matter/);
  put('custom', 'other');
  writeFileSync(join(roots.custom, 'other', 'SKILL.md'), '---\nname: another\ndescription: x\n---\nx');
  later();
  assert.match((await shelf.contents()).broken[0]?.problem ?? '', /its folder must be called that/);
});

test('an assistant has the skills of its list, and sees no others in its sandbox', async (t) => {
  const { base, clock, shelf, put } = setUp(t);
  put('public', 'report');
  put('public', 'slides');
  const contents = await shelf.contents();
  assert.deepEqual(pickSkills(contents, undefined), []);
  assert.equal(pickSkills(contents, ['all']).length, 2);
  const views = openViews(join(base, 'views'), clock);
  const mine = pickSkills(contents, ['slides', 'unknown']);
  const [folder, again] = await Promise.all([views.folderFor(mine), views.folderFor(mine)]);
  assert.ok(folder !== null && folder === again);
  assert.match(readFileSync(join(folder, 'slides/SKILL.md'), 'utf8'), /name: slides/);
  assert.throws(() => readFileSync(join(folder, 'report/SKILL.md')));
  assert.equal(await views.folderFor([]), null);
});

test('a view stays as it was when a skill changes, and the changed one gets another', async (t) => {
  const { base, clock, shelf, put, later } = setUp(t);
  put('custom', 'report', 'Helps.', 'First.');
  const views = openViews(join(base, 'views'), clock);
  const before = await views.folderFor(pickSkills(await shelf.contents(), ['all']));
  put('custom', 'report', 'Helps.', 'Second thoughts.');
  later();
  const after = await views.folderFor(pickSkills(await shelf.contents(), ['all']));
  assert.notEqual(before, after);
  assert.match(readFileSync(join(before ?? '', 'report/SKILL.md'), 'utf8'), /First/);
  assert.match(readFileSync(join(after ?? '', 'report/SKILL.md'), 'utf8'), /Second/);
});
