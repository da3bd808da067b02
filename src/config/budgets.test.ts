import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, loaded, model, withFile } from './testing/loading.ts';

test('budgets that cannot be meant are told so', () => {
  const wrong = errors(
    withFile(`${model}budgets:
  person: { tokens_per_day: 0 }
  chat: { concurrent_runs: many }
  by_role: { gest: { runs_per_hour: 1 } }
  time_zone: Mars/Olympus
  overrides:
    users: { ann: { runs_per_hour: 1 } }
    assistants: { lad: { runs_per_hour: 1 } }
assistants: { lead: {} }
`),
  ).join('\n');
  assert.match(wrong, /budgets\.person\.tokens_per_day: expected at least 1, got 0/);
  assert.match(wrong, /budgets\.chat\.concurrent_runs: expected a whole number from 1 on, or none/);
  assert.match(wrong, /by_role\.gest: expected one of owner, .*guest/);
  assert.match(wrong, /time_zone: expected an IANA time zone/);
  assert.match(wrong, /overrides\.users\.ann: expected <channel>\/<id>/);
  assert.match(wrong, /overrides\.assistants\.lad: unknown assistant "lad"; did you mean "lead"\?/);
});

test('what is said of one limit leaves the others as they are', () => {
  const { budgets } = loaded(withFile(`${model}budgets: { person: { runs_per_hour: none }, exempt: [owner] }`));
  assert.deepEqual([budgets.person, budgets.chat, budgets.exempt], [{ runs_per_hour: 'none' }, {}, ['owner']]);
});
