import type { Burst } from './burst.ts';
import type { OneByOne } from './one-by-one.ts';
import type { Memory } from './process-figures.ts';
import type { StartUp } from './start-up.ts';
import type { SubjectName } from './subject.ts';

/** Everything that one run of the benchmark found out. */
export interface Results {
  readonly at: Date;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly startUp: StartUp;
  readonly subjects: ReadonlyMap<SubjectName, SubjectResults>;
}

export interface SubjectResults extends OneByOne {
  /** Connected to the platform, before the first message, by process. */
  readonly idle: ReadonlyMap<string, Memory>;
  readonly burst: Burst;
}

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly system: string;
  /** Runnable processes in the last minute, when the measurement began: others that used the machine. */
  readonly loadBefore: number;
}
