import { createHash } from 'node:crypto';
import { AntlerError } from '../../../src/base/errors.ts';
import type { ChannelState } from '../../../src/channel/port.ts';

/** Keys are kept in so many places, each with its newest few, so that what is kept has a bound. */
const PLACES = 4_096;
const KEPT_EACH = 8;
const BETWEEN = '\n';

/**
 * Which sends were begun, kept before they are: when one is begun again, after a crash or an answer that never came, it
 * has to be looked up first whether the message is there already.
 */
export class Attempts {
  readonly #state: ChannelState;

  constructor(state: ChannelState) {
    this.#state = state;
  }

  /** True when a send under this key was begun before and nobody knows how it ended. */
  async begin(key: string): Promise<boolean> {
    try {
      const keys = await this.#read(key);
      if (keys.includes(key)) return true;
      await this.#state.set(placeOf(key), [key, ...keys].slice(0, KEPT_EACH).join(BETWEEN));
      return false;
    } catch (cause) {
      throw new AntlerError('unavailable', 'It could not be kept that a message is sent now, so it is not.', {
        retryable: true,
        cause,
      });
    }
  }

  /** It is known that nothing was sent. */
  async failed(key: string): Promise<void> {
    const keys = await this.#read(key);
    await this.#state.set(placeOf(key), keys.filter((other) => other !== key).join(BETWEEN));
  }

  async #read(key: string): Promise<string[]> {
    return ((await this.#state.get(placeOf(key))) ?? '').split(BETWEEN).filter((kept) => kept !== '');
  }
}

function placeOf(key: string): string {
  return `attempts:${createHash('sha256').update(key).digest().readUInt32BE(0) % PLACES}`;
}
