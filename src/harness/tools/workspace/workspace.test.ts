import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FileId } from '../../../base/ids.ts';
import type { FileInfo, LogEntry } from '../../log.ts';
import { noWorkspaces } from '../../sandbox/none.ts';
import type { Workspace, Workspaces } from '../../sandbox/port.ts';
import { someModel, toolContext } from '../../testing/fake-run.ts';
import { assistantWith, filesWith, runContext, userSays } from '../../testing/run.ts';
import { newWorkspace, newWorkspaces } from '../../testing/workspace.ts';
import { readFile } from '../files/read-file.ts';
import { plainText } from '../files/reader.ts';
import { builtInTools } from '../index.ts';
import { registrySource } from '../sources.ts';
import { globMatcher } from './glob-pattern.ts';
import { grep } from './grep.ts';
import { workspaceTools } from './index.ts';
import { glob, listFiles } from './list-files.ts';
import { presentFiles } from './present-files.ts';
import { removeFile } from './remove-file.ts';
import { replaceText } from './replace.ts';
import { replaceInFile } from './replace-in-file.ts';
import { shell } from './shell.ts';
import { appendFile, writeFile } from './write-file.ts';

const signal = new AbortController().signal;
const notes: FileInfo = { id: 'f_1' as FileId, kind: 'file', name: 'notes.txt', mime: 'text/plain', bytes: 9 };
const log: readonly LogEntry[] = [{ ...userSays('see'), files: [notes] }];

async function ground(t: TestContext, more: Partial<Workspace> = {}) {
  const workspace: Workspace = await newWorkspace(t);
  const presented: FileInfo[] = [];
  const files = filesWith([notes, Buffer.from('Buy milk.')]);
  const context = toolContext({
    log,
    files,
    workspace: async () => Object.assign(workspace, more),
    present: (file) => presented.push(file),
  });
  const call = (tool: { readonly call: (typeof shell)['call'] }, args: object) => tool.call(args, context, signal);
  return { call, presented, files };
}
const read = readFile([plainText]);

test('a file is written, gone on with, changed, read again and found', async (t) => {
  const { call } = await ground(t);
  assert.equal(
    await call(writeFile, { path: 'src/a.py', content: 'print(1)\n' }),
    'Wrote /mnt/user-data/workspace/src/a.py (9 bytes).',
  );
  await call(appendFile, { path: 'src/a.py', content: 'print(2)\n' });
  await call(replaceInFile, { path: 'src/a.py', old_text: 'print(1)', new_text: 'print("<b>")' });
  assert.equal(
    await call(read, { file: 'src/a.py' }),
    '/mnt/user-data/workspace/src/a.py, lines 1 to 2 of 2:\nprint("<b>")\nprint(2)',
  );
  assert.equal(
    await call(listFiles, {}),
    [
      '/mnt/user-data/outputs/',
      '/mnt/user-data/uploads/',
      '/mnt/user-data/uploads/notes.txt (9 bytes)',
      '/mnt/user-data/workspace/',
      '/mnt/user-data/workspace/src/',
      '/mnt/user-data/workspace/src/a.py (22 bytes)',
    ].join('\n'),
  );
  assert.equal(await call(glob, { pattern: '*.py' }), '/mnt/user-data/workspace/src/a.py (22 bytes)');
  assert.match(await call(glob, { pattern: '*.rs' }), /No file .*list_files/);
  assert.equal(await call(grep, { pattern: '(2)' }), '/mnt/user-data/workspace/src/a.py:2: print(2)');
  assert.match(await call(grep, { pattern: 'MILK', ignore_case: true }), /uploads\/notes\.txt:1: Buy milk\.$/);
  assert.match(await call(grep, { pattern: '^print\\(\\d', regex: true, path: 'src/a.py' }), /a\.py:2/);
  assert.match(await call(grep, { pattern: 'nowhere' }), /^No line of 2 files fits/);
});

test('a file is removed, and what was sent is not', async (t) => {
  const { call } = await ground(t);
  await call(writeFile, { path: 'd/a.txt', content: 'x' });
  assert.equal(await call(removeFile, { path: 'd' }), 'Removed /mnt/user-data/workspace/d.');
  await assert.rejects(call(removeFile, { path: 'd/a.txt' }), { code: 'not_found' });
  await assert.rejects(call(removeFile, { path: '/mnt/user-data/uploads/notes.txt' }), { code: 'forbidden' });
});

test('one tool reads what was sent and what was made: sent names win, paths say which', async (t) => {
  const { call } = await ground(t);
  await call(writeFile, { path: 'notes.txt', content: 'mine' });
  assert.match(await call(read, { file: 'notes.txt' }), /^notes\.txt, .*\nBuy milk\.$/);
  assert.match(await call(read, { file: '/mnt/user-data/workspace/notes.txt' }), /\nmine$/);
  assert.match(await call(read, { file: '/mnt/user-data/uploads/notes.txt' }), /\nBuy milk\.$/);
  await assert.rejects(call(read, { file: 'other.txt' }), { code: 'not_found', message: /there are: notes\.txt/ });
  await assert.rejects(call(read, { file: 'a/other.txt' }), { code: 'not_found', message: /nothing at \/mnt/ });
  await assert.rejects(call(read, { file: '/etc/passwd' }), { code: 'bad_input' });
});

test('files of the workspace are presented, all or none', async (t) => {
  const { call, presented, files } = await ground(t);
  await call(writeFile, { path: '/mnt/user-data/outputs/a.csv', content: 'x,1\n' });
  await assert.rejects(call(presentFiles, { paths: ['/mnt/user-data/outputs/a.csv', 'missing.md'] }), {
    code: 'not_found',
  });
  assert.equal(presented.length, 0);
  const said = await call(presentFiles, { paths: ['/mnt/user-data/outputs/a.csv', '/mnt/user-data/outputs/a.csv'] });
  assert.match(said, /^Behind your answer go: a\.csv \(4 bytes\)/);
  assert.partialDeepStrictEqual(presented, [{ name: 'a.csv', mime: 'text/csv', kind: 'file', bytes: 4 }]);
  const file: FileInfo | undefined = presented[0];
  assert.ok(file !== undefined);
  assert.equal(Buffer.from(await files.read(file.id, signal)).toString(), 'x,1\n');
});

test('a regular expression that takes for ever is stopped, and nobody else waits', async (t) => {
  const { call } = await ground(t);
  await call(writeFile, { path: 'a.txt', content: 'a'.repeat(40) });
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 20);
  t.after(() => clearInterval(ticking));
  await assert.rejects(call(grep, { pattern: '^(a+)+$b', regex: true }), {
    code: 'bad_input',
    message: /takes longer/,
  });
  assert.ok(ticks > 50);
  await assert.rejects(call(grep, { pattern: '(', regex: true }), { code: 'bad_input' });
});

test('text is replaced once, exactly, or the model is told why not', () => {
  assert.deepEqual(replaceText('a b a', 'b', 'c', false), { text: 'a c a', times: 1 });
  assert.deepEqual(replaceText('a b a', 'a', '$&', true), { text: '$& b $&', times: 2 });
  assert.deepEqual(replaceText('x\r\ny\r\n', 'x\ny', 'z\n', false), { text: 'z\r\n\r\n', times: 1 });
  assert.deepEqual(replaceText('<note>', '&lt;note>', '&lt;files>', false), { text: '<files>', times: 1 });
  const table: [string, string, string, RegExp][] = [
    ['a b a', 'a', 'c', /occurs 2 times/],
    ['a b', '', 'c', /empty/],
    ['a b', 'b', 'b', /the same/],
    ['a  b', 'a b', 'c', /differs in spaces/],
    ['a', 'x', 'c', /read the file again/],
  ];
  for (const [text, before, after, message] of table)
    assert.throws(() => replaceText(text, before, after, false), { code: 'bad_input', message });
});

test('patterns of names', () => {
  const table: [string, string, boolean][] = [
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['./*.ts', 'a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['**', 'a/b', true],
    ['*.{ts,js}', 'a.js', true],
    ['{a,b{1,2}}.md', 'b2.md', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['😀?', '😀😀', true],
  ];
  for (const [pattern, path, fits] of table) assert.equal(globMatcher(pattern)(path), fits, `${pattern} ${path}`);
  const evil = globMatcher(`${'*a'.repeat(60)}b`);
  const startedAt = performance.now();
  assert.equal(evil('a'.repeat(255)), false);
  assert.ok(performance.now() - startedAt < 200);
  assert.throws(() => globMatcher('{a,b}'.repeat(12)), { code: 'bad_input' });
});

test('what cannot be edited as text is not', async (t) => {
  const { call } = await ground(t);
  const workspace = await newWorkspace(t);
  await workspace.write('a.bin', Buffer.from([0xff, 0xfe, 0xfa]));
  const context = toolContext({ workspace: async () => workspace });
  const args = { path: 'a.bin', old_text: 'a', new_text: 'b' };
  await assert.rejects(replaceInFile.call(args, context, signal), { code: 'unsupported', message: /UTF-8/ });
  await assert.rejects(call(writeFile, { path: 'a', content: 'x'.repeat(300_000) }), { code: 'bad_input' });
});

test('how a command ended is told with what to do next', async (t) => {
  const result = { exitCode: 0, output: 'hi\n', timedOut: false, dropped: 0 };
  const table: [object, RegExp][] = [
    [{}, /^hi$/],
    [{ output: '' }, /^\(no output\)$/],
    [{ exitCode: 2 }, /\[exit code 2\]$/],
    [{ exitCode: 137 }, /memory/],
    [{ exitCode: null, timedOut: true }, /stopped after 120 s; .*nohup/],
    [{ exitCode: null, stopped: 'disk' }, /space for files is full/],
    [{ dropped: 5_000_000 }, /5 MB were left out/],
  ];
  for (const [more, expected] of table) {
    const { call } = await ground(t, { canExec: true, exec: async () => ({ ...result, ...more }) });
    assert.match(await call(shell, { command: 'x' }), expected);
  }
});

test('a place without an engine has no shell, and one without files no workspace', async (t) => {
  const names = async (workspaces: Pick<Workspaces, 'means'> = noWorkspaces) => {
    const source = registrySource('built in', builtInTools(), workspaces);
    return (await source.tools(assistantWith(someModel), runContext)).map(({ name }) => name);
  };
  const bare = await names();
  for (const { name } of workspaceTools) assert.equal(bare.includes(name), false, name);
  assert.ok(bare.includes('read_file'));
  const withFolder = await names(newWorkspaces(t));
  assert.ok(withFolder.includes('write_file') && !withFolder.includes('shell'));
  const withEngine = await names({ means: async () => ({ files: true, exec: true }) });
  assert.ok(withEngine.includes('shell'));
});
