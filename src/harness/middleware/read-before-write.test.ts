import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FileId } from '../../base/ids.ts';
import type { LogEntry, ToolEntry } from '../log.ts';
import { fakeRun, toolContext } from '../testing/fake-run.ts';
import { filesWith, userSays } from '../testing/run.ts';
import { newWorkspace } from '../testing/workspace.ts';
import { builtInTools } from '../tools/index.ts';
import type { ToolOutcome } from './port.ts';
import { readBeforeWrite } from './read-before-write.ts';
import { toolErrors } from './tool-errors.ts';

async function play(t: TestContext, before: readonly LogEntry[] = []) {
  const workspace = await newWorkspace(t);
  const run = Object.assign(fakeRun(), { workspace: async () => workspace });
  for (const entry of before) run.record(entry);
  let calls = 0;
  let middleware = readBeforeWrite.create({});
  const errors = toolErrors.create({});
  async function call(name: string, args: object): Promise<ToolOutcome> {
    const id = `c${++calls}`;
    const made = { id, name, arguments: JSON.stringify(args) };
    const tool = builtInTools()
      .pick(['all'])
      .find((one) => one.name === name);
    const outcome = await errors.wrapTool?.(run, made, async (current) =>
      (middleware.wrapTool ?? assert.fail())(run, current, async () => {
        const context = toolContext({ log: run.log, files: filesWith(), workspace: async () => workspace });
        return { status: 'ok', text: (await tool?.call(args, context, run.request.signal)) ?? '' };
      }),
    );
    assert.ok(outcome !== undefined);
    const entry: ToolEntry = { kind: 'tool', ...run.stamp(), callId: id, name, ...outcome };
    run.record(entry);
    return outcome;
  }
  const nextRun = (): void => {
    middleware = readBeforeWrite.create({});
  };
  return { run, workspace, call, nextRun };
}
const status = async (outcome: Promise<ToolOutcome>): Promise<string> => (await outcome).status;

test('a new file is written at once, and again, since its writer knows it', async (t) => {
  const { call } = await play(t);
  assert.equal(await status(call('write_file', { path: 'a.txt', content: 'one' })), 'ok');
  assert.equal(await status(call('write_file', { path: './a.txt', content: 'two' })), 'ok');
  assert.equal(await status(call('replace_in_file', { path: 'a.txt', old_text: 'two', new_text: 'three' })), 'ok');
});

test('a file that is there must be read first, in its newest version', async (t) => {
  const { call, workspace } = await play(t);
  await workspace.write('a.txt', Buffer.from('theirs'));
  const refused = await call('write_file', { path: 'a.txt', content: 'mine' });
  assert.equal(refused.status, 'error');
  assert.match(refused.text, /workspace\/a\.txt is there already.*read_file first/);
  await call('read_file', { file: 'a.txt' });
  await workspace.write('a.txt', Buffer.from('theirs, newer'));
  const changed = await call('replace_in_file', { path: 'a.txt', old_text: 'theirs', new_text: 'mine' });
  assert.match(changed.text, /has changed since you read it/);
  await call('read_file', { file: '/mnt/user-data/workspace/a.txt' });
  assert.equal(await status(call('replace_in_file', { path: 'a.txt', old_text: 'theirs', new_text: 'mine' })), 'ok');
  assert.equal(Buffer.from(await workspace.read('a.txt', 100)).toString(), 'mine, newer');
});

test('what was read in an earlier turn counts, until it is summed up', async (t) => {
  const { call, run, workspace, nextRun } = await play(t);
  await workspace.write('a.txt', Buffer.from('theirs'));
  await call('read_file', { file: 'a.txt' });
  nextRun();
  assert.equal(await status(call('write_file', { path: 'a.txt', content: 'mine' })), 'ok');
  const last = run.log.at(-1);
  run.record({ kind: 'summary', ...run.stamp(), covers: last?.id ?? '', text: 'files were written' });
  nextRun();
  assert.equal(await status(call('write_file', { path: 'a.txt', content: 'again' })), 'error');
  await call('read_file', { file: 'a.txt' });
  assert.equal(await status(call('write_file', { path: 'a.txt', content: 'again' })), 'ok');
});

test('to add to a file needs no reading, but does not count as reading', async (t) => {
  const { call, workspace } = await play(t);
  await workspace.write('a.txt', Buffer.from('theirs'));
  assert.equal(await status(call('append_file', { path: 'a.txt', content: ' and mine' })), 'ok');
  assert.equal(await status(call('write_file', { path: 'a.txt', content: 'x' })), 'error');
});

test('reading what somebody has sent is no reading of a file of that name', async (t) => {
  const sent = { id: 'f_1' as FileId, kind: 'file' as const, name: 'a.txt', mime: 'text/plain', bytes: 1 };
  const { call, workspace } = await play(t, [{ ...userSays('see'), files: [sent] }]);
  await workspace.write('a.txt', Buffer.from('theirs'));
  await call('read_file', { file: 'a.txt' });
  assert.equal(await status(call('write_file', { path: 'a.txt', content: 'x' })), 'error');
});

test('two changes of one file at once do not lose one of them', async (t) => {
  const { call, workspace } = await play(t);
  await call('write_file', { path: 'a.txt', content: 'one two' });
  const both = await Promise.all([
    call('replace_in_file', { path: 'a.txt', old_text: 'one', new_text: '1' }),
    call('replace_in_file', { path: 'a.txt', old_text: 'two', new_text: '2' }),
  ]);
  assert.deepEqual(
    both.map((outcome) => outcome.status),
    ['ok', 'ok'],
  );
  assert.equal(Buffer.from(await workspace.read('a.txt', 100)).toString(), '1 2');
});
