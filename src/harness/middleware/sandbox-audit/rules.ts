import { basename } from 'node:path';
import type { SimpleCommand } from './parse.ts';

/** A command with its name found behind what stands before it (`X=1 nohup env nice name …`). */
export interface NamedCommand extends SimpleCommand {
  readonly name: string;
  readonly args: readonly string[];
}

export interface AuditRule {
  readonly name: string;
  readonly verdict: 'block' | 'warn';
  /** For the model: why, and what to do instead. */
  readonly why: string;
  /** `before`: the commands of the same text ahead of it. */
  readonly fits: (command: NamedCommand, before: readonly NamedCommand[]) => boolean;
  /** For text that cannot be taken apart; absent: then the rule lets it pass. */
  readonly raw?: RegExp;
}

const WRAPPERS: ReadonlySet<string> = new Set([
  ...['env', 'command', 'builtin', 'exec', 'nohup', 'nice', 'ionice', 'time', 'timeout', 'setsid', 'stdbuf', 'xargs'],
  ...['sudo', 'doas', 'busybox'],
]);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Finds the command behind assignments and wrappers. */
export function named(command: SimpleCommand): NamedCommand {
  const { words } = command;
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    const isOption = at > 0 && (word.startsWith('-') || /^\d+[smhd]?$/.test(word));
    if (!ASSIGNMENT.test(word) && !WRAPPERS.has(basename(word)) && !isOption) break;
    at++;
  }
  return { ...command, name: basename(words[at] ?? words[0] ?? ''), args: words.slice(at + 1) };
}

const everything = ({ words, redirects }: SimpleCommand): string[] => [
  ...words,
  ...redirects.map(({ target }) => target),
];
const touches = (pattern: RegExp) => (command: NamedCommand) => everything(command).some((word) => pattern.test(word));
const isOneOf =
  (...names: readonly string[]) =>
  ({ name }: NamedCommand) =>
    names.includes(name);

/** Whole areas, the home folder, the system: nobody who cleans up means these. */
const WHOLE =
  /^(?:\/+|~|\$HOME|\$\{HOME\}|\/(?:mnt|home|root|etc|usr|var|bin|lib)(?:\/skills|\/user-data(?:\/(?:workspace|uploads|outputs))?)?)\/*(?:\*|\.\*)?\/*$/;
const isRecursive = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '--recursive' || /^-[A-Za-z]*[rR]/.test(arg));
const wipesWhole = ({ name, args }: NamedCommand): boolean =>
  (name === 'rm' && isRecursive(args) && args.some((arg) => WHOLE.test(arg))) ||
  (name === 'find' && args.some((arg) => WHOLE.test(arg)) && args.some((arg) => arg === '-delete' || arg === 'rm'));

const MINERS =
  /^(?:xmrig|xmr-stak.*|minerd|cpuminer.*|cgminer|bfgminer|ethminer|nbminer|lolminer|t-rex|phoenixminer)$/i;
const POOL = /stratum\d?\+(?:tcp|ssl|tls):\/\//i;
const ENVIRON = /\/proc\/[^/\s]+\/(?:task\/[^/\s]+\/)?(?:environ|mem)\b/;
const ENGINE = /(?:docker|containerd|podman|crio)\.sock\b|\/proc\/sysrq-trigger|\bcore_pattern\b|\brelease_agent\b/;
const METADATA = /169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254/i;
const SOCKET = /^\/dev\/(?:tcp|udp)\//;
const DEVICE = /^(?:of=)?\/dev\/(?:sd|vd|hd|xvd|nvme|mmcblk|loop|dm-|mem|kmem)/;

/** The first that fits decides; blocks come first. */
export const RULES: readonly AuditRule[] = [
  {
    name: 'wipe',
    verdict: 'block',
    why: 'it would remove a whole area; name the files and folders that are to go',
    fits: wipesWhole,
    raw: /\brm\s+-[a-z]*r[a-z]*\s+(?:-\S+\s+)*(?:\/|~|\$HOME)(?:\s|\*|$)/i,
  },
  {
    name: 'device',
    verdict: 'block',
    why: 'it would write to a device',
    fits: (command) => /^mkfs(?:\..*)?$/.test(command.name) || command.name === 'wipefs' || touches(DEVICE)(command),
    raw: /\bmkfs\b|of=\/dev\/(?:sd|vd|nvme)/,
  },
  {
    name: 'miner',
    verdict: 'block',
    why: 'mining is not done here',
    fits: (command) => MINERS.test(command.name) || touches(POOL)(command),
    raw: POOL,
  },
  {
    name: 'environment',
    verdict: 'block',
    why: "the environment and memory of processes are not to be read; printenv shows this command's own variables",
    fits: touches(ENVIRON),
    raw: ENVIRON,
  },
  {
    name: 'engine',
    verdict: 'block',
    why: 'the sandbox is not to be left; work with the files in it',
    fits: (command) =>
      touches(ENGINE)(command) ||
      isOneOf(
        'nsenter',
        'unshare',
        'mount',
        'umount',
        'chroot',
        'pivot_root',
        'insmod',
        'modprobe',
        'kexec',
      )(command) ||
      isOneOf('docker', 'podman', 'runc', 'ctr', 'crictl')(command),
    raw: ENGINE,
  },
  {
    name: 'metadata',
    verdict: 'block',
    why: "addresses of the machine's provider are not to be asked",
    fits: touches(METADATA),
    raw: METADATA,
  },
  {
    name: 'reverse_shell',
    verdict: 'block',
    why: 'no shell is to be opened for others; use curl or a program for what is to be fetched',
    fits: (command) =>
      touches(SOCKET)(command) ||
      (isOneOf('nc', 'ncat', 'netcat', 'socat')(command) &&
        command.args.some((arg) => /^(?:-[a-z]*[ec]|--exec|--sh-exec|exec:.*)$/i.test(arg))),
    raw: /\/dev\/(?:tcp|udp)\//,
  },
  {
    name: 'fetched_code',
    verdict: 'warn',
    why: 'fetched code was run unseen; fetch it to a file and look at it first',
    fits: ({ name, isPiped }, before) =>
      isPiped &&
      ['sh', 'bash', 'dash', 'zsh', 'python', 'python3', 'perl', 'node'].includes(name) &&
      before.some(isOneOf('curl', 'wget')),
  },
  {
    name: 'root',
    verdict: 'warn',
    why: 'there is no root here, and nothing can be installed into the system; install into the workspace, or do without',
    fits: ({ words, name, args }) =>
      words.some((word) => word === 'sudo' || word === 'doas') ||
      name === 'su' ||
      (['apt', 'apt-get', 'yum', 'dnf', 'apk'].includes(name) && args.includes('install')),
  },
  {
    name: 'sweep',
    verdict: 'warn',
    why: 'everything in a folder was removed; name what is to go next time',
    fits: ({ name, args }) =>
      name === 'rm' && isRecursive(args) && args.some((arg) => /^\.?\/?(?:\*|\.\*?)$/.test(arg)),
  },
  {
    name: 'open_rights',
    verdict: 'warn',
    why: 'rights for everybody are hardly ever needed',
    fits: ({ name, args }) => name === 'chmod' && args.some((arg) => /^0?777$|^a\+rwx$/.test(arg)),
  },
];

/** A function that calls itself twice at once, and a loop that only starts things in the background. */
export const FORK_BOMB =
  /([^\s(){};|&]+)\s*\(\)\s*\{[^}]*?\1\s*\|\s*\1[^}]*&|while\s+(?:true|:)\s*;?\s*do\s+(?:\$0|[^;&]*\$0)[^;]*&\s*;?\s*done/;
