import { BoundedMap } from '../base/bounded-map.ts';
import type { InboundMessage } from './message.ts';

const DOUBLE_CLICK_MS = 1_500;
const PRESSES_REMEMBERED = 1_000;

/** Tells double clicks, which platforms report as two presses and which people mean as one. */
export class DoubleClicks {
  readonly #presses = new BoundedMap<string, Pick<InboundMessage, 'id' | 'sentAt'>>(PRESSES_REMEMBERED);

  /** True when the same person has pressed the same button a moment ago; a press that is delivered again is not meant. */
  isSecond(message: InboundMessage): boolean {
    if (message.kind !== 'action') return false;
    const { id, sentAt } = message;
    const before = this.#presses.get(buttonOf(message));
    if (before !== undefined && before.id !== id && Math.abs(sentAt - before.sentAt) < DOUBLE_CLICK_MS) return true;
    this.#presses.set(buttonOf(message), { id, sentAt });
    return false;
  }

  /** The press came to nothing, so the next one counts. */
  forget(message: InboundMessage): void {
    this.#presses.delete(buttonOf(message));
  }
}

const buttonOf = ({ chat, quote, sender, text }: InboundMessage): string =>
  JSON.stringify([chat.id, quote?.messageId ?? '', sender.id, text]);
