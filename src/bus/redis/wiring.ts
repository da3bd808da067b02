import type { Redis } from 'ioredis';
import type { Logger } from '../../base/logger.ts';
import { unavailable } from './connection.ts';
import type { Reply } from './reply.ts';
import type { ScriptName, Scripts } from './scripts.ts';
import type { Signals } from './signals.ts';
import type { Waker } from './wake.ts';

/** What the parts of one bus share. */
export interface Wiring {
  readonly url: string;
  /** `{prefix}:`, what every key begins with; the braces keep all keys of a bus in one slot of a cluster. */
  readonly base: string;
  /** `{prefix}`, for BullMQ, which adds the colon itself. */
  readonly prefix: string;
  /** Does this Redis know script flags (7.0 and later)? */
  readonly flags: boolean;
  readonly scripts: Scripts;
  readonly prompt: Redis;
  readonly patient: Redis;
  readonly signals: Signals;
  /** Wakes without hanging, for publishers. */
  readonly promptWaker: Waker;
  /** Wakes as soon as Redis is back, for workers. */
  readonly patientWaker: Waker;
  readonly log: Logger;
}

type Arguments = readonly (string | number)[];

/** Runs a script for a caller that must not hang. Rejects with an {@link AntlerError}. */
export async function runPromptly(wiring: Wiring, name: ScriptName, ...args: Arguments): Promise<Reply> {
  try {
    return await wiring.scripts.run(wiring.prompt, name, ...args);
  } catch (thrown) {
    throw unavailable(thrown);
  }
}

/** Runs a script that must get through: while Redis is away, it waits. */
export function runPatiently(wiring: Wiring, name: ScriptName, ...args: Arguments): Promise<Reply> {
  return wiring.scripts.run(wiring.patient, name, ...args);
}

/** How long a last word to Redis may take, in milliseconds: while it is away there is no use in waiting. */
export function farewellMs(wiring: Wiring): number {
  return wiring.patient.status === 'ready' ? 2_000 : 100;
}
