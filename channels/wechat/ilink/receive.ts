import type { Clock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { property } from '../../../src/base/property.ts';
import type { InboundMessage, Quote } from '../../../src/channel/message.ts';
import { persistentFlow } from '../../../src/channel/persistently.ts';
import type { Contexts } from './contexts.ts';
import { type NormalizeContext, normalize, placeholderOf, type Reading, UNKNOWN_QUOTE } from './normalize/index.ts';
import type { Recent } from './recent.ts';

export interface ReceiveOptions {
  readonly about: () => NormalizeContext;
  readonly accept: (message: InboundMessage) => Promise<void>;
  readonly contexts: Contexts;
  readonly recent: Recent;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** From this attempt on, a placeholder is offered instead of the message. */
const PLACEHOLDER_AFTER = 5;

/**
 * Offers messages to intake until it takes them. While intake itself is down that may be for ever, since nothing may be
 * lost; one that fails again and again while others pass is at fault itself: it is taken in as a placeholder, or, when
 * even that fails, logged and given up. Rejects (`cancelled`) when `signal` aborts first.
 */
export function receiver(options: ReceiveOptions): (raw: unknown) => Promise<void> {
  const { about, accept, contexts, recent, clock, log, signal } = options;
  const flow = persistentFlow({ clock, log });

  return async (raw) => {
    const asPlaceholder = (attempt: number): boolean => attempt > PLACEHOLDER_AFTER && attempt % 2 === 0;
    const { kind } = await flow((attempt) => offer(raw, asPlaceholder(attempt)), { about: {}, signal });
    if (kind === 'stopped') signal.throwIfAborted();
  };

  async function offer(raw: unknown, asPlaceholder: boolean): Promise<void> {
    if (asPlaceholder) {
      const placeholder = placeholderOf(raw, about());
      if (placeholder !== null) await accept(placeholder);
      return;
    }
    const reading = normalize(raw, about());
    if (reading === null) return;
    const { chat } = reading.message;
    // Before anybody can answer: the answer needs it.
    if (reading.message.kind === 'message') await contexts.remember(chat.id, reading.contextToken);
    const message = await withQuote(reading);
    await accept(message);
    if (message.kind === 'message') recent.heard(chat.id, message.id, message.text);
  }

  /** WeChat says at most what was quoted, never whose words it was. */
  async function withQuote({ message, quoted }: Reading): Promise<InboundMessage> {
    const { quote } = message;
    if (quote?.messageId === undefined) return message;
    const known = await recent.find(message.chat.id, quote.messageId);
    if (known === undefined) return message;
    const text = quote.text === UNKNOWN_QUOTE ? (quoted?.(known.text) ?? known.text) : quote.text;
    const completed: Quote = { ...quote, fromBot: known.fromBot, text };
    const isCall = message.chat.kind === 'group' && known.fromBot;
    return { ...message, quote: completed, ...(isCall ? { addressed: 'reply' as const } : {}) };
  }
}

/** Whose messages keep their order. */
export function laneOf(raw: unknown): string {
  const field = (key: string): string => {
    const value = property(raw, key);
    return typeof value === 'string' ? value : '';
  };
  return field('group_id') || field('from_user_id');
}
