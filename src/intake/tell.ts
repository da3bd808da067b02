import type { Clock } from '../base/clock.ts';
import type { DeliveryId } from '../base/ids.ts';
import type { MessageBus } from '../bus/port.ts';
import type { ChannelBook } from '../channel/book.ts';
import type { Target } from '../channel/port.ts';

export interface TellOptions {
  readonly bus: Pick<MessageBus, 'outbox'>;
  readonly channels: ChannelBook;
  readonly clock: Pick<Clock, 'now'>;
}

/** Where the bot says something of its own accord. */
export interface Listener {
  /** The channel's name. */
  readonly channel: string;
  readonly chat: string;
  readonly chatKind: 'dm' | 'group';
}

/** Says something of the bot's own in a chat, once for each `id`. False: the channel is not there (any more). */
export type Tell = (listener: Listener, id: string, markdown: string) => Promise<boolean>;

export function createTell({ bus, channels, clock }: TellOptions): Tell {
  return async ({ channel, chat, chatKind }, id, markdown) => {
    const entry = channels.get(channel);
    if (entry === undefined) return false;
    const target: Target = { chat, chatKind };
    await bus.outbox.enqueue([
      {
        id: id as DeliveryId,
        channel,
        target,
        document: { markdown },
        limits: entry.manifest.limits(channel, target, 'send'),
        at: clock.now(),
        resendForMs: entry.settings.resendForMs,
      },
    ]);
    return true;
  };
}
