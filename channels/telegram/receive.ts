import type { AdapterContext } from '../../src/channel/port.ts';
import type { BotApi, BotIdentity } from './api.ts';
import { pressedValue } from './buttons.ts';
import type { TelegramConfig } from './config.ts';
import { normalize, placeholderOf } from './normalize/index.ts';

/** `placeholder`: take in only that there was a message, because the message itself has been refused again and again. */
export type Receive = (update: unknown, form?: 'whole' | 'placeholder') => Promise<void>;

/** Hands an update to intake; resolves once it is durable, or when there is nothing in it for anybody. */
export function receiver(context: AdapterContext<TelegramConfig>, api: BotApi, bot: BotIdentity): Receive {
  const { channel, clock, log, state, accept } = context;
  return async (update, form = 'whole') => {
    const about = { channel, bot, now: clock.now() };
    const message = form === 'whole' ? normalize(update, about) : placeholderOf(update, about);
    if (message === null) {
      log.debug({ channel, update: updateIdOf(update) }, 'nothing to take in from this update');
      return;
    }
    if (message.kind !== 'action') return accept(message);
    // The button shows that it is at work until this; too late an answer is refused, and that does not matter.
    api.call('answerCallbackQuery', { callback_query_id: message.id }, { idempotent: true }).catch((error: unknown) => {
      log.debug({ channel, err: error }, 'a button press could not be answered');
    });
    await accept({ ...message, text: await pressedValue(message.text, state) });
  };
}

/** The number of an update, by which Telegram confirms; undefined when it is not an update at all. */
export function updateIdOf(update: unknown): number | undefined {
  const id = typeof update === 'object' && update !== null ? Reflect.get(update, 'update_id') : undefined;
  return Number.isSafeInteger(id) ? (id as number) : undefined;
}

/** Updates of one chat keep their order; those of no chat share one lane. */
export function laneOf(update: unknown): string {
  if (typeof update !== 'object' || update === null) return '';
  for (const content of Object.values(update)) {
    const chat = chatIdOf(content) ?? chatIdOf(property(content, 'message'));
    if (chat !== undefined) return chat;
  }
  return '';
}

function chatIdOf(value: unknown): string | undefined {
  const id = property(property(value, 'chat'), 'id');
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
