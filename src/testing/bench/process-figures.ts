import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel knows of running processes. Linux only: https://www.kernel.org/doc/html/latest/filesystems/proc.html */

/** The unit of times in /proc, fixed for user space on every architecture that Node runs on. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** Time on a processor, in user and in kernel mode, in milliseconds. */
  readonly cpuMs: number;
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything, so fields are counted from its end: 0 is the state.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
  } catch {
    return undefined; // it has ended meanwhile
  }
}

/** Processor time of a process and everything that it has started and that still runs, in milliseconds. */
export function cpuOfTree(root: number): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readTimes(Number(name)) ?? []) : []));
  const members = new Set([root]);
  // A child's number may be lower than its parent's, so one pass is not enough.
  for (let before = 0; before < members.size; ) {
    before = members.size;
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
  }
  return all.reduce((total, { pid, cpuMs }) => (members.has(pid) ? total + cpuMs : total), 0);
}

export interface Memory {
  /** Resident set, shared pages counted in full. */
  readonly rssMb: number;
  /** Proportional set: shared pages counted by their share. */
  readonly pssMb: number;
}

/** Memory of one process, in megabytes (2^20 bytes). */
export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss') };
}
