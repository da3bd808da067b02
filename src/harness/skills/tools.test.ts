import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { someModel, toolContext } from '../testing/fake-run.ts';
import { assistantWith, runContext } from '../testing/run.ts';
import { MAX_LISTED } from './limits.ts';
import { findSkills, listSkills } from './listing.ts';
import { shelfOf, someSkill } from './testing/skills.ts';
import { skillSource } from './tools.ts';

const lead = (skills?: readonly string[]) => assistantWith(someModel, skills === undefined ? {} : { skills });
const signal = new AbortController().signal;
const many = Array.from({ length: MAX_LISTED + 5 }, (_, index) => someSkill(`skill-${String(index).padStart(2, '0')}`));

test('only an assistant with skills has the tools for them', async () => {
  const source = skillSource(shelfOf(someSkill('report')));
  const names = async (skills?: readonly string[]) =>
    (await source.tools(lead(skills), runContext)).map(({ name }) => name);
  assert.deepEqual(await names(['all']), ['load_skill']);
  assert.deepEqual(await names(), []);
  assert.deepEqual(await names(['slides']), []);
  const more = skillSource(shelfOf(...many));
  assert.deepEqual(
    (await more.tools(lead(['all']), runContext)).map(({ name }) => name),
    ['load_skill', 'skill_search'],
  );
});

test('a skill is loaded with its files, and kept as in use', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-skill-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.md'), 'Details.');
  const files = ['SKILL.md', 'a.md'].map((path) => ({ path, bytes: 1, executable: false }));
  const [load] = await skillSource(shelfOf(someSkill('report', { folder, files }))).tools(lead(['all']), runContext);
  const kept: unknown[] = [];
  const context = toolContext({ keep: (_key, value) => void kept.push(value) });
  const text = await load?.call({ name: '/report' }, context, signal);
  assert.match(
    text ?? '',
    /^Skill report\. Do as it says:\n\nDo the report\.\n\nIts files: a\.md\..*\/mnt\/skills\/report\//,
  );
  assert.deepEqual(kept, [{ turn: 'm1', active: [{ name: 'report', by: 'model' }], asked: false, used: ['report'] }]);
  assert.equal(await load?.call({ name: 'report', file: 'a.md' }, context, signal), 'Details.');
  for (const file of ['../other/SKILL.md', '/etc/passwd', 'b.md'])
    await assert.rejects(async () => load?.call({ name: 'report', file }, context, signal), /report has no/);
  await assert.rejects(async () => load?.call({ name: 'reprot' }, context, signal), /did you mean "report"\?/);
});

test('the list is bounded, and what is not in it can be found', () => {
  const { text, cut } = listSkills(many);
  assert.ok(cut && text.length < 8_000);
  assert.match(text, /There are 5 more: skill_search finds them/);
  const skills = [
    someSkill('invoice', { description: 'Writes invoices.' }),
    someSkill('zhoubao', { description: '写每周工作周报，汇总进展。' }),
  ];
  assert.deepEqual(
    findSkills(skills, 'an invoice, please', 5).map(({ name }) => name),
    ['invoice'],
  );
  assert.deepEqual(
    findSkills(skills, '帮我写工作周报', 5).map(({ name }) => name),
    ['zhoubao'],
  );
  assert.deepEqual(findSkills(skills, 'weather', 5), []);
});
