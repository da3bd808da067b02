import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { toolNames } from '../tool-names.ts';
import { listSkills } from './listing.ts';
import { scanSkill } from './scan.ts';
import { openShelf } from './shelf.ts';

const shelf = openShelf({
  public: join(import.meta.dirname, '../../../skills/public'),
  clock: systemClock,
  log: silentLogger,
});

test('the skills that ship are whole, harmless, and name tools that there are', async () => {
  const { skills, broken } = await shelf.contents();
  assert.deepEqual(broken, []);
  assert.deepEqual(
    [...skills.keys()],
    ['data-analysis', 'meeting-notes', 'report', 'research', 'skill-creator', 'slides', 'translation', 'web-page'],
  );
  for (const skill of skills.values()) {
    assert.deepEqual(skill.warnings, [], skill.name);
    const findings = await scanSkill(skill);
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'severe'),
      [],
      skill.name,
    );
    const unknown = (skill.allowedTools ?? []).filter((tool) => !toolNames().includes(tool));
    assert.deepEqual(unknown, [], skill.name);
    for (const { path } of skill.files) if (path !== 'SKILL.md') assert.ok(skill.body.includes(path), path);
  }
  assert.equal(listSkills([...skills.values()]).cut, false);
});
