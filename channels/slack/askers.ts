import { BoundedMap } from '../../src/base/bounded-map.ts';
import type { InboundMessage } from '../../src/channel/message.ts';
import type { Target } from '../../src/channel/port.ts';

export interface Asker {
  readonly user: string;
  readonly language?: string;
}

const REMEMBERED = 5_000;

/**
 * Who asked last in each place, since a stream in a channel has to say for whom it is. Only a help: where it is not
 * known, an answer grows by edits.
 */
export class Askers {
  readonly #askers = new BoundedMap<string, Asker>(REMEMBERED);

  note({ chat, topic, sender }: InboundMessage): void {
    const { id: user, language } = sender;
    this.#askers.set(nameOf(chat.id, topic), { user, ...(language === undefined ? {} : { language }) });
  }

  of({ chat, topic }: Pick<Target, 'chat' | 'topic'>): Asker | undefined {
    return this.#askers.get(nameOf(chat, topic));
  }
}

const nameOf = (chat: string, topic: string | undefined): string => `${chat}:${topic ?? ''}`;
