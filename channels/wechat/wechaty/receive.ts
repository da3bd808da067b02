import type { Clock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import { persistently } from '../../../src/channel/persistently.ts';
import { WAITING_MAX } from './limits.ts';
import { type Heard, normalize } from './normalize/index.ts';

/** From this attempt on, a message that intake refuses for good is given up. */
const GIVE_UP_AFTER = 6;

export interface ReceiverOptions {
  readonly channel: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accept: (message: InboundMessage) => Promise<void>;
}

/**
 * Hands what is heard to intake, chat by chat in order. WeChat delivers nothing twice, so what intake cannot store is
 * offered again from here until it can; only what comes while {@link WAITING_MAX} messages wait already is lost.
 */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #lanes = new Lanes();
  readonly #stopping = new AbortController();
  #waiting = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  hear(heard: Heard): void {
    const { channel, clock, log } = this.#options;
    const message = normalize(heard, { channel, now: clock.now() });
    if (message === null) {
      log.debug({}, 'nothing to take in from what wechaty told');
    } else if (this.#waiting >= WAITING_MAX) {
      log.error({ chat: message.chat.id, message: message.id }, 'too many messages wait; one was lost');
    } else {
      this.#waiting += 1;
      void this.#lanes.run(message.chat.id, () => this.#offer(message));
    }
  }

  /** Offers nothing again any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#lanes.idle();
  }

  /** Never rejects. */
  async #offer(message: InboundMessage): Promise<void> {
    const { accept, clock, log } = this.#options;
    const about = { chat: message.chat.id, message: message.id };
    await persistently(() => accept(message), {
      ...{ about, clock, log },
      givesUp: ({ retryable }, attempt) => attempt >= GIVE_UP_AFTER && !retryable,
      signal: this.#stopping.signal,
    });
    this.#waiting -= 1;
  }
}
