import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { ThreadKey } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { ChannelSettings } from '../channel/book.ts';
import { earlierText } from '../channel/earlier-text.ts';
import type { ChatRef, InboundMessage } from '../channel/message.ts';
import type { Store } from '../store/port.ts';
import { hearingOf } from './place.ts';

/** A message, in its chat by the id that this has now. */
interface Said {
  readonly message: InboundMessage;
  readonly chat: ChatRef;
}

/**
 * What the bot reads along in groups that it is admitted to, where the channel's settings say so: kept as text, to be
 * told with the next message to the bot in the same place, so among those who share a conversation there.
 */
export interface Overhearing {
  /** Keeps a message that is not to the bot. Its loss is no reason to have anything delivered again. */
  keep(said: Said): Promise<void>;
  /** A message was edited or taken back: what is kept of it follows. */
  follow(said: Said): Promise<void>;
  /** Whose hearing a message to the bot is said in; null: nothing is kept there. */
  at(said: Said): ThreadKey | null;
}

interface OverhearingOptions {
  readonly settings: Pick<ChannelSettings, 'overhear' | 'groupScope'>;
  readonly store: Pick<Store, 'overheard'>;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
}

export function overhearing({ settings, store, log, clock }: OverhearingOptions): Overhearing {
  const { overheard } = store;
  const at = ({ message, chat }: Said): ThreadKey | null =>
    settings.overhear === 0 || chat.kind === 'dm' ? null : hearingOf({ ...message, chat }, settings.groupScope);
  return {
    at,
    async keep(said) {
      const { message, chat } = said;
      const place = at(said);
      const { channel, id, kind, sender, sentAt } = message;
      const text = earlierText(message);
      if (place === null || kind !== 'message' || text === '') return;
      const times = { at: sentAt, keptAt: clock.now() };
      const kept = { channel, chat: chat.id, id, place, name: sender.name, text, ...times };
      await overheard.keep(kept, settings.overhear).catch((error: unknown) => {
        log.warn({ channel, problem: asAntlerError(error).message }, 'a message that was read along is not kept');
      });
    },
    async follow({ message, chat }) {
      const { channel, id, kind } = message;
      if (settings.overhear === 0 || chat.kind === 'dm') return;
      const text = earlierText(message);
      if (kind === 'recall' || (kind === 'edit' && text === '')) await overheard.remove(channel, chat.id, [id]);
      else if (kind === 'edit') await overheard.edit(channel, chat.id, id, text);
    },
  };
}
