import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import { findProgram, type Service } from './services.ts';

/** What `startDocker` gives the image that it makes. */
export const TEST_IMAGE = 'antler-sandbox:test';

/** A real engine of a test's own, or why there can be none on this machine. */
export type TestDocker = (Service & { readonly kind: 'running'; readonly docker: Docker }) | NoDocker;
interface NoDocker {
  readonly kind: 'none';
  /** For `skip`. */
  readonly why: string;
}

const START_MS = 20_000;

/** The engine of this test run: the one `npm test` started, else one of our own. */
export async function dockerForTests(): Promise<TestDocker> {
  const url = process.env.ANTLER_TEST_DOCKER;
  if (url === undefined) return startDocker();
  if (!url.startsWith('unix://')) return { kind: 'none', why: url };
  return { kind: 'running', url, docker: clientAt(url), stop: async () => {} };
}

/**
 * Starts Debian's `dockerd` on a socket and in a folder of its own. It touches neither the machine's network (no bridge,
 * no packet filter) nor an engine that runs there, and gets an image made of this machine's own bash and tools.
 */
export async function startDocker(): Promise<TestDocker> {
  const missing = whyNot();
  if (missing !== null) return { kind: 'none', why: `Docker cannot be tested here: ${missing}` };
  const folder = mkdtempSync(join(tmpdir(), 'antler-docker-'));
  const url = `unix://${join(folder, 'docker.sock')}`;
  const args = [
    ...['--host', url, '--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
    ...['--pidfile', join(folder, 'pid'), '--storage-driver=vfs', '--bridge=none'],
    ...['--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'],
  ];
  const child = spawn('dockerd', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  const docker = clientAt(url);
  const stop = async (): Promise<void> => {
    await removeAll(docker).catch(() => {}); // it may be dead
    await ended(child);
    // It leaves this behind once a container, or a build, has used the machine's own network.
    spawnSync('umount', [join(folder, 'exec/netns/default')], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answering(docker, child);
    await importImage(docker, folder);
    await tryContainer(docker);
    return { kind: 'running', url, docker, stop };
  } catch (error) {
    await stop();
    const last = said.trim().split('\n').at(-1) ?? '';
    return { kind: 'none', why: `Docker cannot be tested here: ${String(error)} ${last}`.slice(0, 500) };
  }
}

const clientAt = (url: string): Docker => new Docker({ socketPath: url.slice('unix://'.length) });

function whyNot(): string | null {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'its daemon has to be started as root';
  for (const program of ['dockerd', 'containerd', 'runc', 'bash'])
    if (findProgram(program) === undefined) return `there is no ${program} (on Debian: apt-get install docker.io)`;
  return null;
}

async function answering(docker: Docker, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`dockerd ended with code ${child.exitCode}.`);
    const answers = await docker.ping().then(
      () => true,
      () => false,
    );
    if (answers) return;
    if (Date.now() > deadline) throw new Error('dockerd does not answer.');
    await delay(50);
  }
}

/** The tools that commands of the tests use, and the libraries that those need. */
const PROGRAMS = [
  ...['bash', 'cat', 'chmod', 'cp', 'cut', 'date', 'dd', 'df', 'echo', 'env', 'find', 'grep', 'head', 'id', 'kill'],
  ...[
    'ln',
    'ls',
    'mkdir',
    'mkfifo',
    'mv',
    'nohup',
    'ps',
    'rm',
    'sed',
    'seq',
    'setsid',
    'sleep',
    'sort',
    'stat',
    'tail',
  ],
  ...['tee', 'touch', 'tr', 'uname', 'wc', 'yes', 'mount', 'unshare'],
];

async function importImage(docker: Docker, folder: string): Promise<void> {
  const root = join(folder, 'root');
  for (const name of ['bin', 'etc', 'proc', 'sys', 'dev', 'tmp', 'mnt/user-data', 'mnt/skills'])
    mkdirSync(join(root, name), { recursive: true });
  const found = PROGRAMS.flatMap((name) => findProgram(name) ?? []);
  for (const path of found) copyFileSync(path, join(root, 'bin', basename(path)));
  const { stdout } = spawnSync('ldd', found, { encoding: 'utf8' });
  for (const path of new Set(stdout.match(/(?<=\s)\/[^\s:]+(?= \(0x)/g))) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/bash\n');
  const tar = join(folder, 'root.tar');
  const packed = spawnSync('tar', ['-C', root, '-cf', tar, '.'], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`tar failed: ${packed.stderr}`);
  const [repo, tag] = TEST_IMAGE.split(':');
  const stream = await docker.importImage(tar, { repo, tag });
  await new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject).resume());
}

/** An engine that answers may still be unable to run anything, e.g. inside another container. */
async function tryContainer(docker: Docker): Promise<void> {
  const options = { HostConfig: { NetworkMode: 'none', Memory: 64_000_000, PidsLimit: 16 } };
  const container = await docker.createContainer({ Image: TEST_IMAGE, Cmd: ['/bin/bash', '-c', ':'], ...options });
  await container.start();
  await container.wait();
  await container.remove({ force: true });
}

async function removeAll(docker: Docker): Promise<void> {
  for (const { Id } of await docker.listContainers({ all: true }))
    await docker
      .getContainer(Id)
      .remove({ force: true })
      .catch(() => {}); // it is going already
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(hard);
}
