import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolNames } from '../tool-names.ts';
import { groupNames, withoutGroups } from './groups.ts';

test('groups name tools that there are, and leave nothing of them out', () => {
  const grouped = new Set(withoutGroups(groupNames));
  assert.deepEqual(
    [...grouped].toSorted(),
    toolNames()
      .filter((name) => !groupNames.includes(name))
      .toSorted(),
  );
});

test('names stand beside groups', () => {
  assert.deepEqual(withoutGroups(['group:shell', 'grep', 'all', 'group:nothing']), ['shell', 'grep', 'all']);
});
