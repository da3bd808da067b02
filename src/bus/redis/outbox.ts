import type { Outbox } from '../port.ts';
import { deliveryArguments, fieldText, placeOf } from './codec.ts';
import { unavailable } from './connection.ts';
import { newIdentity } from './identity.ts';
import { Sending } from './sending.ts';
import { replicated, runPromptly, type Wiring } from './wiring.ts';

export interface RedisOutbox extends Outbox {
  close(graceMs: number): Promise<void>;
}

export function createOutbox(wiring: Wiring): RedisOutbox {
  /** Those that may have something in flight. */
  const sendings = new Set<Sending>();
  return {
    enqueue: async (deliveries) => {
      if (deliveries.length === 0) return;
      await runPromptly(
        wiring,
        'enqueue',
        ...deliveries.flatMap((delivery) => deliveryArguments(delivery, wiring.shards)),
      );
      await replicated(wiring);
    },
    send: async (channels, handler, options) => {
      const id = options.id ?? newIdentity();
      const sending = new Sending(wiring, channels.map(fieldText), handler, options, id);
      sendings.add(sending);
      await wiring.signals.settled();
      const stop = async (): Promise<void> => {
        sending.stop();
        void sending.ended().then(() => sendings.delete(sending));
      };
      return { id, stop };
    },
    pending: async (channel, chat) => {
      try {
        return await wiring.prompt.llen(`${wiring.base}q:${placeOf(channel, chat)}`);
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    close: async (graceMs) => {
      await Promise.all([...sendings].map((sending) => sending.close(graceMs)));
    },
  };
}
