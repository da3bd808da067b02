import { EventEmitter } from 'node:events';
import type { Broadcast } from '../../../src/channel/port.ts';

/** Rings in all replicas when something has become of a place. A ring may get lost, so whoever waits looks by himself too. */
export class Bell {
  readonly #broadcast: Broadcast;
  readonly #topic: string;
  readonly #here = new EventEmitter().setMaxListeners(0);

  constructor(broadcast: Broadcast, channel: string) {
    this.#broadcast = broadcast;
    this.#topic = `wecom/${channel}/places`;
  }

  ring(id: string): void {
    this.#here.emit('ring', id);
    this.#broadcast.publish(this.#topic, id);
  }

  /** Looks at every ring for `id`, and now and then; resolves with what was found, or undefined after `ms`. */
  async wait<Found>(id: string, ms: number, look: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const deadline = AbortSignal.timeout(ms);
    let wake = Promise.withResolvers<void>();
    const heard = (rung: string): void => {
      if (rung === id) wake.resolve();
    };
    const stop = (): void => wake.resolve();
    this.#here.on('ring', heard);
    const unsubscribe = this.#broadcast.subscribe(this.#topic, heard);
    deadline.addEventListener('abort', stop, { once: true });
    const glance = setInterval(stop, GLANCE_MS);
    try {
      for (;;) {
        wake = Promise.withResolvers();
        const found = await look();
        if (found !== undefined || deadline.aborted) return found;
        await wake.promise;
      }
    } finally {
      clearInterval(glance);
      deadline.removeEventListener('abort', stop);
      unsubscribe();
      this.#here.off('ring', heard);
    }
  }
}

const GLANCE_MS = 1_000;
