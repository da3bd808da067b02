import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVALS, readApprovals } from '../guardrails/approvals.ts';
import type { GuardRule, Guardrails } from '../guardrails/port.ts';
import type { UserEntry } from '../log.ts';
import { type FakeRun, fakeRun } from '../testing/fake-run.ts';
import { ann, userSays } from '../testing/run.ts';
import { approval } from './approval.ts';

const NOON = Date.UTC(2026, 2, 1, 6, 5);
const bo = { id: 'telegram//8', name: 'Bo' };
const call = { id: 'c1', name: 'remove_file', arguments: '{"path":"a.txt"}' };

const guarded = (more: Partial<GuardRule> = {}): Guardrails => ({
  rules: [{ effect: 'ask', tools: ['remove_*'], ...more }],
});

/** What comes of a call in a run; whether the tool was run. */
async function make(run: FakeRun, guardrails: Guardrails, made = call) {
  let ran = false;
  const outcome = await approval.create({ guardrails }).wrapTool?.(run, made, async () => {
    ran = true;
    return { status: 'ok', text: 'Removed.' };
  });
  return { ran, text: outcome?.text ?? '' };
}

/** A turn that has asked, and the next one with these words. */
async function answered(guardrails: Guardrails, ...input: UserEntry[]): Promise<FakeRun> {
  const before = fakeRun();
  await make(before, guardrails);
  const next = fakeRun();
  for (const entry of before.log) if (entry.kind === 'state') next.record(entry);
  const id = before.question?.id ?? '';
  const heard = input.map((entry) => (entry.pressed === undefined ? entry : { ...entry, pressed: id }));
  const context = { ...next.request.context, roles: { [ann.id]: 'member', [bo.id]: 'operator' } };
  const request = { ...next.request, context, input: heard };
  const run = { ...next, turnId: 'the next', request };
  await approval.create({ guardrails }).beforeRun?.(run);
  return run;
}

const says = (text: string, more: Partial<UserEntry> = {}): UserEntry => ({ ...userSays(text), at: NOON, ...more });
const press = (text: string, speaker = ann): UserEntry => says(text, { pressed: 'it', speaker });
const isAllowed = (run: FakeRun): boolean => readApprovals(run.state(APPROVALS)).granted.length === 1;

test('a tool that has to be asked for is not run, and the question ends the run', async () => {
  const run = fakeRun();
  const { ran, text } = await make(run, guarded());
  assert.equal(ran, false);
  assert.match(text, /^Not run yet/);
  assert.match(run.question?.text ?? '', /remove_file with this\? \{"path":"a\.txt"\}\n\n1\. Allow it once/);
  assert.match((await make(run, guarded(), { ...call, arguments: '{}' })).text, /another question is put first/);
  assert.equal((await make(fakeRun(), guarded({ tools: ['shell'] }))).ran, true, 'others need nobody');
});

test('who asked allows it, for this very call and once', async () => {
  const run = await answered(guarded(), says('1'));
  assert.equal((await make(run, guarded(), { ...call, arguments: '{"path":"b.txt"}' })).ran, false);
  const allowed = await answered(guarded(), press('Allow it once'));
  assert.equal((await make(allowed, guarded(), { ...call, arguments: '{ "path": "a.txt" }' })).ran, true);
  assert.equal((await make(allowed, guarded())).ran, false);
});

test('what is no yes, no word of whoever may, or too late allows nothing', async () => {
  const late = NOON + 25 * 3_600_000;
  for (const entry of [
    says('2'),
    says('sure'),
    press('Do not allow it'),
    press('Allow it once', bo),
    says('1', { at: late }),
  ])
    assert.equal(isAllowed(await answered(guarded(), entry)), false, entry.text);
});

test('where an operator has to allow it, only one of that role or a better one does', async () => {
  const rules = guarded({ approver: 'operator' });
  assert.equal(isAllowed(await answered(rules, press('Allow it once'))), false);
  assert.equal(isAllowed(await answered(rules, says('1'))), false);
  assert.equal(isAllowed(await answered(rules, press('Allow it once', bo))), true);
  assert.equal(isAllowed(await answered(guarded({ approver: 'admin' }), press('Allow it once', bo))), false);
});

test('a sub-agent asks nobody', async () => {
  const run = fakeRun();
  const child = { ...run, request: { ...run.request, context: { ...run.request.context, others: [] } } };
  const { ran, text } = await make(child, guarded());
  assert.deepEqual([ran, child.question], [false, null]);
  assert.match(text, /^Error: not run/);
});
