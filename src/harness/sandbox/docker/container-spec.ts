import { createHash } from 'node:crypto';
import type { ContainerCreateOptions } from 'dockerode';
import { type Layout, sandboxUser } from '../folder/layout.ts';
import { AREA_PATHS, SKILLS } from '../paths.ts';
import type { SandboxSettings } from './settings.ts';

export const LABELS = {
  /** Which Antler's it is: others on the same engine leave it alone. */
  installation: 'antler.installation',
  owner: 'antler.owner',
  assistant: 'antler.assistant',
  /** Of everything that a container is made with: one that was made otherwise is not used again. */
  spec: 'antler.spec',
} as const;

export interface ContainerFor {
  readonly name: string;
  readonly installation: string;
  /** The owner's digest. */
  readonly owner: string;
  readonly assistant: string;
  readonly layout: Layout;
  readonly skills: string | null;
  /** A path of this machine, as the engine's host has it. */
  readonly hostPath: (path: string) => string;
  /** The id of the image that is to be used: one that was built anew makes new containers. */
  readonly imageId: string;
  /** One file can never be larger. */
  readonly maxFileBytes: number;
}

const OPEN_FILES = 1_024;

/**
 * How a sandbox's container is made: a wall, whatever runs inside. No network, no capability, nothing gained by setuid
 * programs, nothing writable but the owner's own folders and a small `/tmp`, bounds on memory, processors and processes,
 * and nothing of Antler's environment.
 */
export function containerSpec(settings: SandboxSettings, box: ContainerFor): ContainerCreateOptions {
  const { layout, hostPath } = box;
  const bind = (source: string, target: string, readOnly: boolean) => ({
    Type: 'bind' as const,
    Source: hostPath(source),
    Target: target,
    ReadOnly: readOnly,
    // No mount that anybody makes later appears inside.
    BindOptions: { Propagation: 'rprivate' as const },
  });
  const options = {
    name: box.name,
    Image: settings.image,
    User: sandboxUser(),
    Hostname: 'sandbox',
    WorkingDir: AREA_PATHS.workspace,
    Entrypoint: [] as string[],
    Cmd: ['sleep', 'infinity'],
    Env: [`HOME=${AREA_PATHS.workspace}`, 'LANG=C.UTF-8', 'TERM=dumb'],
    AttachStdin: false,
    OpenStdin: false,
    Tty: false,
    StopTimeout: 1,
    HostConfig: {
      Init: true, // ends what commands leave behind
      AutoRemove: true,
      RestartPolicy: { Name: 'no' },
      NetworkMode: networkMode(settings.network),
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Privileged: false,
      ReadonlyRootfs: true,
      IpcMode: 'private',
      CgroupnsMode: 'private' as const,
      PidMode: '',
      Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,mode=1777,size=${Math.floor(settings.memoryBytes / 4)}` },
      ShmSize: 16_000_000,
      Memory: settings.memoryBytes,
      MemorySwap: settings.memoryBytes, // together: no swap
      NanoCpus: Math.round(settings.cpus * 1_000_000_000),
      PidsLimit: settings.pids,
      OomScoreAdj: 500,
      Ulimits: [
        { Name: 'core', Soft: 0, Hard: 0 },
        { Name: 'nofile', Soft: OPEN_FILES, Hard: OPEN_FILES },
        { Name: 'fsize', Soft: box.maxFileBytes, Hard: box.maxFileBytes },
      ],
      LogConfig: { Type: 'none', Config: {} },
      Mounts: [
        bind(layout.areas.uploads, AREA_PATHS.uploads, true),
        bind(layout.areas.workspace, AREA_PATHS.workspace, false),
        bind(layout.areas.outputs, AREA_PATHS.outputs, false),
        ...(box.skills === null ? [] : [bind(box.skills, SKILLS, true)]),
      ],
    },
  };
  return {
    ...options,
    Labels: {
      [LABELS.installation]: box.installation,
      [LABELS.owner]: box.owner,
      [LABELS.assistant]: box.assistant,
      [LABELS.spec]: digest(JSON.stringify([options, box.imageId])),
    },
  };
}

function networkMode(network: boolean | string): string {
  if (typeof network === 'string') return network;
  return network ? 'bridge' : 'none';
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same in every process of an installation; the whole digest, so that no two owners ever share one. */
export const containerName = (installation: string, owner: string, assistant: string): string =>
  `antler-${digest(JSON.stringify([installation, owner, assistant]))}`;
