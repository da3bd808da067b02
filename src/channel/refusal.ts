import { createHash } from 'node:crypto';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { ChannelState } from './port.ts';

const KEY = 'refused';

/**
 * Whether a platform has refused these credentials: for a doctor, who cannot try them without taking an exclusive
 * connection away from the process that has it.
 */
export interface Refusal {
  /** Never rejects. */
  note(isRefused: boolean): Promise<void>;
  /** Were just these refused, when they were last tried? */
  isNoted(): Promise<boolean>;
}

export function refusalOf(credentials: readonly string[], state: ChannelState, log: Logger): Refusal {
  const mark = createHash('sha256').update(JSON.stringify(credentials)).digest('base64url').slice(0, 16);
  const isNoted = async (): Promise<boolean> => (await state.get(KEY)) === mark;
  return {
    isNoted,
    note: async (isRefused) => {
      try {
        if ((await isNoted()) !== isRefused) await state.set(KEY, isRefused ? mark : '');
      } catch (thrown) {
        log.debug({ problem: asAntlerError(thrown).message }, 'what became of the credentials was not kept');
      }
    },
  };
}
