import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { FolderWorkspaces } from './index.ts';
import { layoutOf } from './layout.ts';

const base = mkdtempSync(join(tmpdir(), 'antler-folder-'));
after(() => rmSync(base, { recursive: true, force: true }));
writeFileSync(join(base, 'secret.txt'), 'secret');

let owners = 0;
async function workspace(maxBytes = 10_000_000) {
  const owner = { owner: `telegram//${owners++}`, assistantId: 'lead' };
  const all = new FolderWorkspaces({ base: join(base, 'w'), maxBytes, clock: systemClock });
  const opened = await all.open(owner);
  return { opened, all, owner, layout: layoutOf(join(base, 'w'), owner) };
}
const text = async (content: Promise<Uint8Array>): Promise<string> => Buffer.from(await content).toString();
const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

test('what is written is read, by relative and by absolute path, and missing folders are made', async () => {
  const { opened } = await workspace();
  await opened.write('a/b/c.txt', bytes('one'));
  assert.equal(await text(opened.read('/mnt/user-data/workspace/a/b/c.txt', 100)), 'one');
  await opened.write('/mnt/user-data/workspace/a/../a/./b/c.txt', bytes('two'));
  assert.equal(await text(opened.read('a/b/c.txt', 100)), 'two');
  await assert.rejects(opened.read('a/b/c.txt', 2), { code: 'too_large' });
  await assert.rejects(opened.read('a/b', 100), { code: 'bad_input', message: /is a folder/ });
  await assert.rejects(opened.read('a/x', 100), { code: 'not_found' });
  await assert.rejects(opened.write('a/b', bytes('x')), { code: 'bad_input', message: /is a folder/ });
});

const ESCAPES = [
  '../../../etc/passwd',
  '/etc/passwd',
  '/mnt/user-data/../../etc/passwd',
  '/mnt/user-data-extra/x',
  '/mnt/user-data/other/x',
  '/mnt/skillsx',
  'a\0b',
  'a\nb',
  '/..',
  `${'x/'.repeat(40)}y`,
  'n'.repeat(256),
];
for (const path of ESCAPES)
  test(`no path leads out: ${JSON.stringify(path.slice(0, 40))}`, async () => {
    const { opened } = await workspace();
    for (const attempt of [
      opened.read(path, 10),
      opened.write(path, bytes('x')),
      opened.remove(path),
      opened.stat(path),
    ])
      await assert.rejects(attempt, { code: 'bad_input' });
  });

test('no link leads out, neither for reading nor for writing, nor on the way', async () => {
  const { opened, layout } = await workspace();
  symlinkSync(join(base, 'secret.txt'), join(layout.areas.workspace, 'link'));
  symlinkSync(base, join(layout.areas.workspace, 'way'));
  await assert.rejects(opened.read('link', 100), { code: 'bad_input', message: /link/ });
  await assert.rejects(opened.read('way/secret.txt', 100), { code: 'bad_input' });
  await assert.rejects(opened.write('way/new.txt', bytes('x')), { code: 'bad_input' });
  await opened.write('link', bytes('mine'));
  assert.equal(readFileSync(join(base, 'secret.txt'), 'utf8'), 'secret');
  assert.equal(await text(opened.read('link', 100)), 'mine');
  const deep = await opened.list('.', { deep: true, limit: 100 });
  assert.deepEqual(
    deep.map(({ path, kind }) => [path, kind]),
    [
      ['/mnt/user-data/workspace/link', 'file'],
      ['/mnt/user-data/workspace/way', 'link'],
    ],
  );
  await opened.remove('way');
  assert.ok(existsSync(join(base, 'secret.txt')));
});

test('hard links, pipes and devices are not read, and nobody waits for a pipe', async () => {
  const { opened, layout } = await workspace();
  linkSync(join(base, 'secret.txt'), join(layout.areas.workspace, 'hard'));
  execFileSync('mkfifo', [join(layout.areas.workspace, 'pipe')]);
  await assert.rejects(opened.read('hard', 100), { code: 'bad_input', message: /hard link/ });
  await assert.rejects(opened.read('pipe', 100), { code: 'bad_input', message: /no ordinary file/ });
  await opened.write('hard', bytes('mine'));
  assert.equal(readFileSync(join(base, 'secret.txt'), 'utf8'), 'secret');
});

test('a folder that is swapped for a link again and again never leads out', async () => {
  const { opened, layout } = await workspace();
  await opened.write('d/secret.txt', bytes('mine'));
  const swap = `cd '${layout.areas.workspace}'; for i in $(seq 100); do mv d e; ln -s '${base}' d; rm d; mv e d; done`;
  const swapping = import('node:child_process').then(
    ({ execFile }) => new Promise((resolve) => execFile('sh', ['-c', swap], resolve)),
  );
  let done = false;
  void swapping.then(() => {
    done = true;
  });
  const seen = new Set<string>();
  while (!done) {
    seen.add(await text(opened.read('d/secret.txt', 100)).catch(() => 'refused'));
    await opened.write('d/other.txt', bytes('x')).catch(() => {});
  }
  assert.equal(seen.has('secret'), false);
  assert.equal(existsSync(join(base, 'other.txt')), false);
});

test('uploads and skills are read-only, and no area can be removed', async () => {
  const { opened } = await workspace();
  for (const path of ['/mnt/user-data/uploads/x', '/mnt/skills/x', '/mnt/user-data'])
    await assert.rejects(opened.write(path, bytes('x')), { code: 'forbidden', message: /write below/ });
  await assert.rejects(opened.remove('/mnt/user-data/workspace'), { code: 'bad_input' });
  await assert.rejects(opened.read('/mnt/skills/x', 10), { code: 'not_found' });
});

test('a removed folder is gone with all that is in it', async () => {
  const { opened } = await workspace();
  await opened.write('a/b/c.txt', bytes('x'));
  await opened.write('a/d.txt', bytes('x'));
  await opened.remove('a');
  assert.deepEqual(await opened.list('.', { deep: true, limit: 10 }), []);
});

test('an owner has so much space over all assistants, and gets it back by removing', async () => {
  const { opened, all, owner } = await workspace(300_000);
  await opened.write('a.bin', new Uint8Array(200_000));
  const other = await all.open({ ...owner, assistantId: 'second' });
  await assert.rejects(other.write('b.bin', new Uint8Array(200_000)), {
    code: 'too_large',
    message: /space for files is full.*remove/,
  });
  await opened.remove('a.bin');
  await other.write('b.bin', new Uint8Array(200_000));
});

test('two owners never share a folder', async () => {
  const [one, two] = [await workspace(), await workspace()];
  await one.opened.write('a.txt', bytes('mine'));
  await assert.rejects(two.opened.read('a.txt', 10), { code: 'not_found' });
});

test('a file that came in is loaded once; two of one name get two names', async () => {
  const { opened } = await workspace();
  let loads = 0;
  const load = async () => {
    loads++;
    return bytes(`content ${loads}`);
  };
  const [first, again] = await Promise.all([
    opened.receive({ id: 'f_1', name: 'plan.pdf' }, load),
    opened.receive({ id: 'f_1', name: 'plan.pdf' }, load),
  ]);
  assert.deepEqual([first, again, loads], ['/mnt/user-data/uploads/plan.pdf', first, 1]);
  assert.equal(await opened.receive({ id: 'f_2', name: 'plan.pdf' }, load), '/mnt/user-data/uploads/plan (2).pdf');
  assert.equal(await opened.receive({ id: 'f_3', name: '../../x/..\n' }, load), '/mnt/user-data/uploads/_.._x_.._');
  assert.equal(await text(opened.read('/mnt/user-data/uploads/plan.pdf', 100)), 'content 1');
});

test('nothing stays open', { skip: process.platform !== 'linux' && 'descriptors are counted in /proc' }, async () => {
  const { opened } = await workspace();
  await opened.write('a/b/c.txt', bytes('x'));
  const before = (await readdir('/proc/self/fd')).length;
  for (let n = 0; n < 20; n++) {
    await opened.read('a/b/c.txt', 10);
    await opened.read('a/b', 10).catch(() => {});
    await opened.list('.', { deep: true, limit: 10 });
    await opened.write('a/x/y', bytes('x'));
  }
  assert.ok((await readdir('/proc/self/fd')).length <= before + 2);
});

test('the folder is no engine', async () => {
  const all = new FolderWorkspaces({ base: join(base, 'w'), maxBytes: 1_000, clock: systemClock });
  assert.deepEqual(await all.means(), { files: true, exec: false });
  const opened = await all.open({ owner: 'x', assistantId: '../../..' });
  assert.equal(opened.canExec, false);
  await assert.rejects(
    opened.exec('true', { timeoutMs: 1, env: {}, maxOutputBytes: 1, signal: new AbortController().signal }),
    { code: 'unsupported' },
  );
});
