import { createHash } from 'node:crypto';
import { AntlerError } from '../../../src/base/errors.ts';
import type { ChannelState } from '../../../src/channel/port.ts';

/** Keys are kept in so many places, each with its newest few, so that what is kept has a bound. */
const PLACES = 4_096;
const KEPT_EACH = 8;
const BETWEEN = '\n';

/** Between a key and what is noted of its attempt. */
const NOTE = '\t';

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
    if ((await this.noted(key)) !== undefined) return true;
    await this.note(key, '');
    return false;
  }

  /** What was noted of a send that was begun under this key, and of which nobody knows how it ended. */
  async noted(key: string): Promise<string | undefined> {
    const found = (await keeping(this.#read(key))).find((kept) => isOf(key, kept));
    return found?.slice(key.length + NOTE.length);
  }

  /** A send begins; `note` says by what it can be looked up. */
  async note(key: string, note: string): Promise<void> {
    const others = (await keeping(this.#read(key))).filter((kept) => !isOf(key, kept));
    const kept = [key + NOTE + note, ...others].slice(0, KEPT_EACH).join(BETWEEN);
    await keeping(this.#state.set(placeOf(key), kept));
  }

  /** It is known that nothing was sent. */
  async failed(key: string): Promise<void> {
    const others = (await this.#read(key)).filter((kept) => !isOf(key, kept));
    await this.#state.set(placeOf(key), others.join(BETWEEN));
  }

  async #read(key: string): Promise<string[]> {
    return ((await this.#state.get(placeOf(key))) ?? '').split(BETWEEN).filter((kept) => kept !== '');
  }
}

const isOf = (key: string, kept: string): boolean => kept.startsWith(key + NOTE);

async function keeping<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw new AntlerError('unavailable', 'It could not be kept that a message is sent now, so it is not.', {
      retryable: true,
      cause,
    });
  }
}

function placeOf(key: string): string {
  return `attempts:${createHash('sha256').update(key).digest().readUInt32BE(0) % PLACES}`;
}
