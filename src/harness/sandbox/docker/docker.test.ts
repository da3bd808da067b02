import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/logger.ts';
import { dockerForTests, TEST_IMAGE } from '../../../testing/docker.ts';
import { fakeRun } from '../../testing/fake-run.ts';
import { FolderWorkspaces } from '../folder/index.ts';
import type { ExecOptions, ExecResult, Workspace } from '../port.ts';
import { LABELS } from './container-spec.ts';
import { DockerWorkspaces } from './index.ts';
import type { SandboxSettings } from './settings.ts';
import { overheard } from './testing/overheard.ts';

const engine = await dockerForTests();
const skip = engine.kind === 'none' && engine.why;
const root = mkdtempSync(join(tmpdir(), 'antler-boxes-'));
after(async () => {
  if (engine.kind === 'running') await engine.stop();
  rmSync(root, { recursive: true, force: true });
});

const SETTINGS: SandboxSettings = {
  image: TEST_IMAGE,
  host: engine.kind === 'running' ? engine.url : '/nowhere',
  network: false,
  memoryBytes: 100_000_000,
  cpus: 1,
  pids: 64,
  idleMs: 600_000,
};

let installations = 0;
function workspaces(
  t: TestContext,
  more: Partial<SandboxSettings> = {},
  base = newBase(),
  skills: () => Promise<string | null> = async () => null,
): DockerWorkspaces {
  const folder = new FolderWorkspaces({ base, maxBytes: 30_000_000, clock: systemClock, skills });
  const settings = { ...SETTINGS, ...more };
  const common = { folder, base, settings, hostPath: (path: string) => path };
  const made = new DockerWorkspaces({ ...common, clock: systemClock, log: silentLogger });
  t.after(() => made.close());
  return made;
}
const newBase = (): string => join(root, `i${installations++}`);
const ann = { owner: 'telegram//7', assistantId: 'lead' };
const bo = { owner: 'telegram//8', assistantId: 'lead' };
const lead = fakeRun().request.assistant;

function run(workspace: Workspace, command: string, more: Partial<ExecOptions> = {}): Promise<ExecResult> {
  const options = { timeoutMs: 20_000, env: {}, maxOutputBytes: 20_000, signal: new AbortController().signal };
  return workspace.exec(command, { ...options, ...more });
}

async function containers(): Promise<{ Id: string; Names: string[]; State: string; Labels: Record<string, string> }[]> {
  return engine.kind === 'none' ? [] : engine.docker.listContainers({ all: true });
}
/** Those of the Antler whose workspaces lie there. */
async function containersOf(base: string) {
  const installation = readFileSync(join(base, '.installation'), 'utf8');
  return (await containers()).filter(({ Labels }) => Labels[LABELS.installation] === installation);
}

test('commands and file tools see the same files, and one container stays warm', { skip }, async (t) => {
  const base = newBase();
  const all = workspaces(t, {}, base);
  const workspace = await all.open(ann);
  assert.equal(workspace.canExec, true);
  await workspace.write('in.txt', Buffer.from('hello'));
  await workspace.receive({ id: 'f1', name: 'sent.txt' }, async () => Buffer.from('sent'));
  const command =
    'pwd; cat in.txt; echo; cat ../uploads/sent.txt; echo; echo out > /mnt/user-data/outputs/o.txt; id -u; exit 3';
  const result = await run(workspace, command);
  assert.deepEqual(result, {
    exitCode: 3,
    output: `/mnt/user-data/workspace\nhello\nsent\n${process.getuid?.() === 0 ? 10_001 : process.getuid?.()}\n`,
    timedOut: false,
    dropped: 0,
  });
  assert.equal(Buffer.from(await workspace.read('/mnt/user-data/outputs/o.txt', 100)).toString(), 'out\n');
  const again = await run(await all.open(ann), 'echo again');
  assert.equal(again.output, 'again\n');
  assert.equal((await containersOf(base)).length, 1);
  await all.close();
  assert.equal((await containersOf(base)).length, 0);
});

test('a skill that was installed or taken away meanwhile was so for commands only once the container had been idle', {
  skip,
}, async (t) => {
  const base = newBase();
  const shown = ['one', 'two'].map((name) => join(base, name));
  for (const folder of shown) mkdirSync(join(folder, 'skill'), { recursive: true });
  let current = 0;
  const all = workspaces(t, {}, base, async () => shown[current] ?? null);
  writeFileSync(join(shown[1] ?? '', 'skill/new.sh'), 'echo new\n');
  const before = await all.open(ann, lead);
  const busy = run(before, 'echo begun > begun.txt; sleep 2; echo done');
  await run(before, 'until [ -e begun.txt ]; do sleep 0.05; done');
  current = 1;
  const after = await all.open(ann, lead);
  await run(after, 'true'); // beside the one that is at work, which is let finish
  assert.equal((await busy).output, 'done\n');
  assert.equal((await run(after, 'bash /mnt/skills/skill/new.sh')).output, 'new\n');
  current = 0;
  const without = await all.open(ann, lead);
  assert.match((await run(without, 'ls /mnt/skills/skill; bash /mnt/skills/skill/new.sh')).output, /No such file/);
  assert.equal((await containersOf(base)).length, 1);
});

test('two people and two assistants never share a container or a file', { skip }, async (t) => {
  const base = newBase();
  const all = workspaces(t, {}, base);
  await run(await all.open(ann), 'echo mine > a.txt');
  assert.match((await run(await all.open(bo), 'ls -a; cat a.txt')).output, /No such file/);
  assert.match((await run(await all.open({ ...ann, assistantId: 'other' }), 'cat a.txt')).output, /No such file/);
  assert.equal((await containersOf(base)).length, 3);
});

test('nothing gets out: no network, no privilege, nothing to write to, nothing of this process to read', {
  skip,
}, async (t) => {
  process.env.CANARY_SECRET = 'sk-canary-1234567890';
  t.after(() => delete process.env.CANARY_SECRET);
  const base = newBase();
  const workspace = await workspaces(t, {}, base).open(ann);
  const output = async (command: string): Promise<string> => (await run(workspace, command)).output;
  assert.equal((await output('ls /sys/class/net')).trim(), 'lo');
  assert.match(await output('exec 3<>/dev/tcp/1.1.1.1/53'), /unreachable/);
  const status = await output('grep -E "^(CapEff|CapBnd|CapPrm|NoNewPrivs|Seccomp):" /proc/self/status');
  assert.match(status, /CapPrm:\s0+\nCapEff:\s0+\nCapBnd:\s0+\nNoNewPrivs:\s1\nSeccomp:\s2/);
  for (const path of [
    '/x',
    '/etc/x',
    '/bin/x',
    '/mnt/user-data/x',
    '/mnt/user-data/uploads/x',
    '/proc/sys/kernel/core_pattern',
  ])
    assert.match(await output(`echo x > ${path}`), /Read-only|denied/, path);
  assert.match(await output('mount -t tmpfs none /mnt'), /denied|must be superuser|permission/i);
  assert.match(await output('unshare -r true'), /not permitted|denied/);
  assert.match(await output('chmod u+s /bin/bash'), /Read-only/);
  assert.match(await output('cat /proc/1/environ | tr "\\0" "\\n"'), /HOME=/);
  assert.match(await output('ls /var/run/docker.sock /run'), /No such file/);
  const everything = await output(
    'env; cat /proc/*/environ /proc/self/mountinfo /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n"',
  );
  assert.doesNotMatch(everything, /canary/i);
  assert.equal((await output('ls -d /mnt/user-data/*/.. /mnt/user-data/workspace/../..')).includes('secret'), false);
  const links = 'ln -s /etc/passwd l; ln -s /proc/1/root r; ln /etc/passwd h; echo done';
  assert.match(await output(links), /done/);
  await assert.rejects(workspace.read('l', 100_000), { code: 'bad_input' });
  await assert.rejects(workspace.read('r/etc/passwd', 100_000), { code: 'bad_input' });
  await assert.rejects(workspace.read('h', 100_000));
});

test('the container is made as a wall', { skip }, async (t) => {
  const base = newBase();
  await run(await workspaces(t, {}, base).open(ann), 'true');
  const [found] = await containersOf(base);
  assert.ok(engine.kind === 'running' && found !== undefined);
  const { HostConfig: host, Config: config, Mounts: mounts } = await engine.docker.getContainer(found.Id).inspect();
  assert.partialDeepStrictEqual(host, {
    NetworkMode: 'none',
    CapDrop: ['ALL'],
    CapAdd: null,
    SecurityOpt: ['no-new-privileges:true'],
    Privileged: false,
    ReadonlyRootfs: true,
    Memory: 100_000_000,
    MemorySwap: 100_000_000,
    NanoCpus: 1_000_000_000,
    PidsLimit: 64,
    Init: true,
    IpcMode: 'private',
    CgroupnsMode: 'private',
    AutoRemove: true,
    Binds: null,
  });
  assert.notEqual(config.User.split(':')[0], '0');
  assert.deepEqual(mounts.map(({ Destination, RW }) => [Destination, RW]).toSorted(), [
    ['/mnt/user-data/outputs', true],
    ['/mnt/user-data/uploads', false],
    ['/mnt/user-data/workspace', true],
  ]);
  assert.doesNotMatch(JSON.stringify(config.Env), /ANTLER|KEY|SECRET/);
});

test('a command that takes too long is ended with all that it has started', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const startedAt = performance.now();
  const result = await run(workspace, 'echo begun; sleep 97 & (setsid sleep 98 &) ; sleep 99', { timeoutMs: 500 });
  assert.deepEqual(result, { exitCode: null, output: 'begun\n', timedOut: true, dropped: 0 });
  assert.ok(performance.now() - startedAt < 5_000);
  assert.doesNotMatch((await run(workspace, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "')).output, /sleep 9/);
});

test('a stop ends the command at once', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const stop = new AbortController();
  const running = run(workspace, 'sleep 97', { signal: stop.signal });
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(running, { code: 'cancelled' });
  assert.doesNotMatch((await run(workspace, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "')).output, /sleep 9/);
});

for (const [moment, when] of Object.entries({
  'while the container is made': { asked: /^POST \/[^ ]*containers\/create/ },
  'while the container is started': { asked: /^POST \/[^ ]*containers\/[^ /]+\/start/ },
  'before the command is created': { asked: /^POST \/[^ ]*containers\/[^ /]+\/exec/ },
  'while the command is created': { answered: /^POST \/[^ ]*containers\/[^ /]+\/exec/ },
  'before the command is started': { asked: /^POST \/[^ ]*exec\/[^ /]+\/start/ },
  'while the command is started': { answered: /^POST \/[^ ]*exec\/[^ /]+\/start/ },
}))
  test(`a stop ${moment} does not leave the command to run until its time is up`, { skip }, async (t) => {
    const stop = new AbortController();
    let seen = 0;
    const host = await overheard(t, root, SETTINGS.host, when, () => {
      seen++;
      stop.abort();
    });
    const base = newBase();
    const all = workspaces(t, { host }, base);
    const workspace = await all.open(ann);
    await assert.rejects(run(workspace, 'exec -a stopped sleep 97', { signal: stop.signal }), { code: 'cancelled' });
    assert.ok(seen > 0);
    assert.doesNotMatch((await run(workspace, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "')).output, /sleep 9|stopped 9/);
    await all.close();
    assert.equal((await containersOf(base)).length, 0);
  });

test('a command that hides from its mark is ended with its container', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const result = await run(workspace, 'exec env -i /bin/sleep 97', { timeoutMs: 800 });
  assert.equal(result.timedOut, true);
  assert.doesNotMatch((await run(workspace, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "')).output, /sleep 9/);
});

test('a stop while a container is made is no reason to leave it behind at the end', { skip }, async (t) => {
  const stop = new AbortController();
  const base = newBase();
  const when = { asked: /^POST \/[^ ]*containers\/create/ };
  const all = workspaces(t, { host: await overheard(t, root, SETTINGS.host, when, () => stop.abort()) }, base);
  const running = run(await all.open(ann), 'true', { signal: stop.signal });
  await assert.rejects(running, { code: 'cancelled' });
  await all.close();
  assert.equal((await containersOf(base)).length, 0);
});

test('a child in the background that holds the output does not hang the command, and goes on', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const startedAt = performance.now();
  const result = await run(workspace, '(sleep 1; echo later > late.txt; sleep 60) & echo now');
  assert.deepEqual([result.exitCode, result.output], [0, 'now\n']);
  assert.ok(performance.now() - startedAt < 5_000, `${performance.now() - startedAt}`);
  assert.match((await run(workspace, 'sleep 1.2; cat late.txt')).output, /later/);
});

test('5 MB of output cost no memory, and its beginning and end are kept', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  await run(workspace, 'true');
  const before = process.memoryUsage().rss;
  const result = await run(workspace, 'echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last');
  assert.equal(result.exitCode, 0);
  assert.match(result.output, /^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast\n$/);
  assert.ok(result.output.length < 20_100);
  assert.ok(result.dropped > 4_900_000);
  assert.ok(process.memoryUsage().rss - before < 60_000_000);
});

test('a fork bomb ends, and the next command works', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const result = await run(workspace, ':(){ :|:& };:; sleep 30', { timeoutMs: 1_500 });
  assert.equal(result.timedOut || result.exitCode !== 0, true);
  assert.equal((await run(workspace, 'echo alive')).output, 'alive\n');
});

test('after too many processes in the background no command could be run for as long as they lived', {
  skip,
}, async (t) => {
  const workspace = await workspaces(t, { pids: 16 }).open(ann);
  const result = await run(workspace, 'for i in {1..11}; do sleep 300 & done; exit 7');
  assert.deepEqual([result.exitCode, result.stopped], [7, 'processes']);
  assert.equal((await run(workspace, 'echo alive | cat')).output, 'alive\n');
});

test('what a command says and complains of stands in the order in which it happened', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const both = 'for i in {1..200}; do echo out; echo err >&2; done; echo end';
  assert.equal((await run(workspace, both)).output, `${'out\nerr\n'.repeat(200)}end\n`);
});

test('a memory hog is killed, not the machine', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const result = await run(workspace, 'tail /dev/zero');
  assert.equal(result.exitCode, 137);
  assert.equal((await run(workspace, 'echo alive')).output, 'alive\n');
});

test('a full disk is noticed while it fills, and can be emptied again', { skip }, async (t) => {
  const workspace = await workspaces(t).open(ann);
  const fill = 'i=0; while true; do head -c 4000000 /dev/zero > f$i; i=$((i+1)); sleep 0.05; done';
  const result = await run(workspace, fill);
  assert.equal(result.stopped, 'disk');
  await assert.rejects(workspace.write('more.txt', Buffer.from('x')), { code: 'too_large' });
  assert.equal((await run(workspace, 'rm -f f*; sleep 1.5; echo free')).output, 'free\n');
  await workspace.write('more.txt', Buffer.from('x'));
  const oneFile = await run(workspace, 'head -c 90000000 /dev/zero > big');
  assert.notEqual(oneFile.exitCode, 0);
});

test('without an engine there is no shell, but the files are there', async (t) => {
  const all = workspaces(t, { host: `unix://${join(root, 'nobody.sock')}` });
  assert.deepEqual(await all.means(), { files: true, exec: false });
  const workspace = await all.open(ann);
  assert.equal(workspace.canExec, false);
  await assert.rejects(run(workspace, 'true'), { code: 'unsupported' });
  await workspace.write('a.txt', Buffer.from('x'));
});

test('without the image there is no shell', { skip }, async (t) => {
  assert.deepEqual(await workspaces(t, { image: 'nothing:here' }).means(), { files: true, exec: false });
});

test('an idle container goes, and its files stay', { skip }, async (t) => {
  const base = newBase();
  const all = workspaces(t, { idleMs: 1 }, base);
  await run(await all.open(ann), 'echo kept > a.txt');
  await new Promise((resolve) => setTimeout(resolve, 10));
  await all.sweep();
  assert.equal((await containersOf(base)).length, 0);
  assert.equal((await run(await all.open(ann), 'cat a.txt')).output, 'kept\n');
});

test('processes of one installation share a container, and the last one takes it away', { skip }, async (t) => {
  const base = newBase();
  const [one, two] = [workspaces(t, {}, base), workspaces(t, {}, base)];
  const outputs = await Promise.all([run(await one.open(ann), 'echo 1'), run(await two.open(ann), 'echo 2')]);
  assert.deepEqual(
    outputs.map(({ output }) => output),
    ['1\n', '2\n'],
  );
  assert.equal((await containersOf(base)).length, 1);
  await two.sweep();
  await one.close();
  assert.equal((await containersOf(base)).length, 1);
  assert.equal((await run(await two.open(ann), 'echo 3')).output, '3\n');
  await two.close();
  assert.equal((await containersOf(base)).length, 0);
  assert.deepEqual(readdirSync(join(base, '.leases')), []);
});

test('kill -9 of a process leaves no container behind: the next sweep takes it', { skip }, async (t) => {
  const base = newBase();
  const program = join(import.meta.dirname, 'testing/holder.child.ts');
  const child = fork(program, [base, SETTINGS.host], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  assert.equal((await containersOf(base)).length, 1);
  const all = workspaces(t, {}, base);
  await all.sweep();
  assert.equal((await containersOf(base)).length, 1, 'while it lives it is left alone');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await all.sweep();
  assert.equal((await containersOf(base)).length, 0);
  assert.deepEqual(readdirSync(join(base, '.leases')), []);
});

test('a container of a dead process is not used again, whatever still runs in it', { skip }, async (t) => {
  const base = newBase();
  const program = join(import.meta.dirname, 'testing/holder.child.ts');
  const child = fork(program, [base, SETTINGS.host], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const result = await run(await workspaces(t, {}, base).open(ann), 'cat /proc/[0-9]*/cmdline | tr "\\0" " "');
  assert.doesNotMatch(result.output, /sleep 6789/);
  assert.equal((await containersOf(base)).length, 1);
});

test('another installation on the same engine is left alone', { skip }, async (t) => {
  const [one, two] = [newBase(), newBase()];
  await run(await workspaces(t, {}, one).open(ann), 'true');
  await workspaces(t, {}, two).open(ann);
  await workspaces(t, {}, two).sweep();
  assert.equal((await containersOf(one)).length, 1);
});
