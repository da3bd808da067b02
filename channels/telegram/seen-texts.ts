import { createHash } from 'node:crypto';
import { BoundedMap } from '../../src/base/bounded-map.ts';
import type { InboundMessage } from '../../src/channel/message.ts';

const SEEN_MAX = 2_000;

/**
 * What messages said when they were last seen. Telegram reports as an edit also what nobody edited: a preview that
 * came, a button that changed. https://core.telegram.org/bots/api#update, edited_message
 */
export class SeenTexts {
  readonly #digests = new BoundedMap<string, string>(SEEN_MAX);

  note(message: InboundMessage): void {
    this.#digests.set(nameOf(message), digestOf(message));
  }

  /** False also for a message of which nothing is known. */
  saysTheSame(edit: InboundMessage): boolean {
    return this.#digests.get(nameOf(edit)) === digestOf(edit);
  }
}

const nameOf = ({ chat, id }: InboundMessage): string => `${chat.id}/${id}`;

const digestOf = ({ text, files }: InboundMessage): string =>
  createHash('sha256')
    .update(JSON.stringify([text, files.map(({ id }) => id)]))
    .digest('base64url');
