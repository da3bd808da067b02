import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS, readPermissions } from '../acp/permission.ts';
import { wantPermission } from '../acp/wanted.ts';
import type { UserEntry } from '../log.ts';
import { type FakeRun, fakeRun } from '../testing/fake-run.ts';
import { ann, userSays } from '../testing/run.ts';
import { agentPermission } from './agent-permission.ts';

const call = { id: 'c1', name: 'agent_coder', arguments: '{}' };
const NOON = Date.UTC(2026, 2, 1, 6, 5);

/** A run in which an agent wants something. */
async function asking(): Promise<{ readonly run: FakeRun; readonly text: string }> {
  const run = fakeRun();
  wantPermission(run.request.context, 'agent_coder', { key: 'k', what: 'rm x' });
  const outcome = await agentPermission
    .create()
    .wrapTool?.(run, call, async () => ({ status: 'ok', text: 'It stopped.' }));
  return { run, text: outcome?.text ?? '' };
}

/** What is granted when these are the next turn. */
async function grantedBy(...input: UserEntry[]): Promise<readonly string[]> {
  const { run } = await asking();
  const next = fakeRun();
  for (const entry of run.log) if (entry.kind === 'state') next.record(entry);
  const turnId = input[0]?.id ?? '';
  await agentPermission.create().beforeRun?.({ ...next, turnId, request: { ...next.request, input } });
  return readPermissions(next.state(PERMISSIONS)).granted.map(({ agent, key, whom }) => `${agent} ${key} ${whom}`);
}

const says = (text: string, more: Partial<UserEntry> = {}): UserEntry => ({ ...userSays(text), at: NOON, ...more });

test('what an agent wants becomes a question that ends the run, and is asked once', async () => {
  const { run, text } = await asking();
  assert.match(
    run.question?.text ?? '',
    /^coder asks for your permission: rm x\n\n1\. Allow it once\n2\. Do not allow it$/,
  );
  assert.match(text, /^It stopped\.\n\[The person is asked for it\./);
  const again = await agentPermission.create().wrapTool?.(run, call, async () => ({ status: 'ok', text: 'Done.' }));
  assert.equal(again?.text, 'Done.');
});

test('an agent that wants something while another question is put has to wait', async () => {
  const { run } = await asking();
  const { question } = run;
  wantPermission(run.request.context, 'agent_coder', { key: 'l', what: 'rm y' });
  const outcome = await agentPermission
    .create()
    .wrapTool?.(run, call, async () => ({ status: 'ok', text: 'It stopped.' }));
  assert.match(outcome?.text ?? '', /Another question is put to the person first/);
  assert.equal(run.question, question);
});

test('only whom it was put to allows it, by choosing so, in time, and on this question', async () => {
  const { run } = await asking();
  const id = run.question?.id ?? '';
  const bo = { id: 'telegram//8', name: 'Bo' };
  const granted = [`agent_coder k ${ann.id}`];
  assert.deepEqual(await grantedBy(says('1')), granted);
  assert.deepEqual(await grantedBy(says('allow it once', { pressed: id })), granted);
  assert.deepEqual(await grantedBy(says('2', { speaker: bo }), says('1')), granted);
  assert.deepEqual(await grantedBy(says('1', { speaker: bo })), []);
  assert.deepEqual(await grantedBy(says('2')), []);
  assert.deepEqual(await grantedBy(says('what for?'), says('1')), []);
  assert.deepEqual(await grantedBy(says('1', { pressed: 'other' })), []);
  assert.deepEqual(await grantedBy(says('1', { at: NOON + 25 * 3_600_000 })), []);
});
