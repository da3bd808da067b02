import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Config } from '../config/schema/config.ts';
import type { SandboxEntry } from '../config/schema/sandbox.ts';
import { Engine, type EngineState } from '../harness/sandbox/docker/engine.ts';
import type { SandboxSettings } from '../harness/sandbox/docker/settings.ts';
import { createWorkspaces } from '../harness/sandbox/index.ts';
import type { Workspaces } from '../harness/sandbox/port.ts';
import type { SkillShelf } from '../harness/skills/port.ts';
import { skillFolders } from './skills.ts';

const MB = 1_000_000;
const DAY_MS = 86_400_000;

/** Does the sandbox's engine answer, and has it the image? For doctor. */
export const askEngine = ({ sandbox }: Config): Promise<EngineState> =>
  new Engine(sandbox.image, sandbox.host, systemClock.now).state();

/** The sandbox of the configuration as the harness takes it. */
const sandboxOf = (entry: SandboxEntry): SandboxSettings => ({
  image: entry.image,
  host: entry.host,
  network: entry.network,
  memoryBytes: entry.memory_mb * MB,
  cpus: entry.cpus,
  pids: entry.pids,
  idleMs: entry.idle_minutes * 60_000,
});

/** Where assistants have their files and run their commands. */
export function workspacesOf(config: Config, skills: SkillShelf, clock: Clock, log: Logger): Workspaces {
  const { sandbox, files, data_dir } = config;
  const base = join(data_dir, 'workspaces');
  return createWorkspaces({
    base,
    skills: skillFolders(base, skills, clock),
    keepMs: files.keep_days * DAY_MS,
    maxBytes: sandbox.disk_mb * MB,
    ...(sandbox.host_data_dir === undefined ? {} : { hostBase: join(sandbox.host_data_dir, 'workspaces') }),
    ...(sandbox.engine === 'none' ? {} : { sandbox: sandboxOf(sandbox) }),
    clock,
    log: log.child({ room: 'sandbox' }),
  });
}
