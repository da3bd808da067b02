import { setTimeout as delay } from 'node:timers/promises';
import { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Company } from '../company.ts';
import { isPassing, type RedisClient, unavailable } from './connection.ts';
import type { Reply } from './reply.ts';
import type { ScriptName, ScriptSettings, Scripts } from './scripts.ts';
import type { Signals } from './signals.ts';

/** What the parts of one bus share. */
export interface Wiring {
  readonly url: string;
  readonly silenceMs: number;
  /** `{prefix}:`, what every key begins with; the braces keep all keys of a bus in one slot of a cluster. */
  readonly base: string;
  /** `{prefix}`, for BullMQ, which adds the colon itself. */
  readonly prefix: string;
  readonly settings: ScriptSettings;
  readonly scripts: Scripts;
  readonly prompt: RedisClient;
  readonly patient: RedisClient;
  readonly signals: Signals;
  /** Of all turns of this process, those of the other shards included. */
  readonly company: Company;
  /** So many replicas must have a message before it counts as stored. */
  readonly waitReplicas: number;
  /** Of how many shards of the bus this is one. */
  readonly shards: number;
  readonly log: Logger;
}

/** Between two tries to get a script through, in milliseconds. */
const AGAIN_MS = 250;
/** How long replicas may take, in milliseconds. */
const REPLICATION_MS = 200;

type Arguments = readonly (string | number)[];

/** Runs a script for a caller that must not hang. Rejects with an {@link AntlerError}. */
export async function runPromptly(wiring: Wiring, name: ScriptName, ...args: Arguments): Promise<Reply> {
  try {
    return await wiring.scripts.run(wiring.prompt, name, ...args);
  } catch (thrown) {
    throw unavailable(thrown);
  }
}

/**
 * Runs a script that must get through: while Redis is away, or is not what it should be for a while (a replica, loading,
 * out of memory), it waits. The scripts that come this way can be sent twice.
 */
export async function runPatiently(wiring: Wiring, name: ScriptName, ...args: Arguments): Promise<Reply> {
  for (;;) {
    try {
      return await wiring.scripts.run(wiring.patient, name, ...args);
    } catch (thrown) {
      if (!isPassing(thrown) || wiring.patient.status === 'end') throw thrown;
      wiring.log.debug({ script: name, error: String(thrown) }, 'Redis refuses for now');
      await delay(AGAIN_MS, undefined, { ref: false });
    }
  }
}

/** How long a last word to Redis may take, in milliseconds: while it is away there is no use in waiting. */
export function farewellMs(wiring: Wiring): number {
  return wiring.patient.status === 'ready' ? 2_000 : 100;
}

/**
 * Waits until so many replicas have what was just written, where the bus is told to. Rejects (retryable) when they do
 * not in time: the write stands, and a repetition of it is known again.
 */
export async function replicated({ prompt, waitReplicas }: Wiring): Promise<void> {
  if (waitReplicas === 0) return;
  let copies: number;
  try {
    copies = await prompt.wait(waitReplicas, REPLICATION_MS);
  } catch (thrown) {
    throw unavailable(thrown);
  }
  if (copies >= waitReplicas) return;
  throw new AntlerError('unavailable', `Only ${copies} of ${waitReplicas} replicas of Redis have taken a message.`, {
    retryable: true,
  });
}
