import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { ThreadKey } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { ChannelSettings } from '../channel/book.ts';
import { earlierText } from '../channel/earlier-text.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Store } from '../store/port.ts';

/** A message with the chat that it is said in, by the id that this has now, and where it belongs. */
interface Said {
  readonly message: InboundMessage;
  readonly chat: string;
  readonly place: ThreadKey;
}

/**
 * What the bot reads along in groups that it is admitted to, where the channel's settings say so: kept as text, to be
 * told with the next message to the bot in the same place, so among those who share a conversation there.
 */
export interface Overhearing {
  /** Keeps a message that is not to the bot. Its loss is no reason to have anything delivered again. */
  keep(said: Said): Promise<void>;
  /** A message was edited or taken back: what is kept of it follows. */
  follow(said: Omit<Said, 'place'>): Promise<void>;
}

interface OverhearingOptions {
  readonly settings: Pick<ChannelSettings, 'overhear'>;
  readonly store: Pick<Store, 'overheard'>;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
}

export function overhearing({ settings, store, log, clock }: OverhearingOptions): Overhearing {
  const { overheard } = store;
  return {
    async keep({ message, chat, place }) {
      const { channel, id, kind, sender, sentAt: at } = message;
      const text = earlierText(message);
      if (settings.overhear === 0 || kind !== 'message' || text === '') return;
      const kept = { channel, chat, id, place, name: sender.name, text, at, keptAt: clock.now() };
      await overheard.keep(kept, settings.overhear).catch((error: unknown) => {
        log.warn({ channel, problem: asAntlerError(error).message }, 'a message that was read along is not kept');
      });
    },
    async follow({ message, chat }) {
      const { channel, id, kind } = message;
      if (settings.overhear === 0 || message.chat.kind === 'dm') return;
      const text = earlierText(message);
      if (kind === 'recall' || (kind === 'edit' && text === '')) await overheard.remove(channel, chat, [id]);
      else if (kind === 'edit') await overheard.edit(channel, chat, id, text);
    },
  };
}
