import { systemClock } from '../../../../base/clock.ts';
import { silentLogger } from '../../../../base/logger.ts';
import { TEST_IMAGE } from '../../../../testing/docker.ts';
import { FolderWorkspaces } from '../../folder/index.ts';
import { DockerWorkspaces } from '../index.ts';

/** A process that holds a sandbox and has something running in it, to be killed by a test. */
const [base = '', host = ''] = process.argv.slice(2);
const folder = new FolderWorkspaces({ base, maxBytes: 30_000_000, clock: systemClock });
const settings = {
  image: TEST_IMAGE,
  host,
  network: false,
  memoryBytes: 100_000_000,
  cpus: 1,
  pids: 64,
  idleMs: 60_000,
};
const common = { folder, base, settings, hostPath: (path: string) => path };
const all = new DockerWorkspaces({ ...common, clock: systemClock, log: silentLogger });
const workspace = await all.open({ owner: 'telegram//7', assistantId: 'lead' });
const options = { timeoutMs: 60_000, env: {}, maxOutputBytes: 1_000, signal: new AbortController().signal };
await workspace.exec('sleep 6789 & true', options);
process.send?.('holding');
await workspace.exec('sleep 6789', options);
