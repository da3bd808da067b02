import { createHash } from 'node:crypto';
import { asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { ChannelState } from '../../../src/channel/port.ts';

const KEY = 'refused';

/** Whether WeCom has refused a bot and its secret, for those who cannot try them without taking the connection away. */
export interface Refusal {
  /** Never rejects. */
  note(isRefused: boolean): Promise<void>;
  /** Were just these refused, when they were last tried? */
  isNoted(): Promise<boolean>;
}

export function refusalOf({ botId, secret }: Bot, state: ChannelState, log: Logger): Refusal {
  const mark = createHash('sha256').update(`${botId}\n${secret}`).digest('base64url').slice(0, 16);
  const isNoted = async (): Promise<boolean> => (await state.get(KEY)) === mark;
  return {
    isNoted,
    note: async (isRefused) => {
      try {
        if ((await isNoted()) !== isRefused) await state.set(KEY, isRefused ? mark : '');
      } catch (thrown) {
        log.debug({ problem: asAntlerError(thrown).message }, 'what became of bot_id and secret was not kept');
      }
    },
  };
}

interface Bot {
  readonly botId: string;
  readonly secret: string;
}
