import { type Channel, isVisible, type Message, shownText } from './model.ts';
import type { World } from './world.ts';

/**
 * Resolves with the first message of the channel, present or to come, that satisfies `matches`; edits count too.
 * @throws Error after `timeoutMs`, naming what the channel shows instead.
 */
export async function waitFor(
  world: World,
  channel: Channel,
  matches: (message: Message) => boolean,
  timeoutMs = 5_000,
): Promise<Message> {
  const present = channel.messages.find((message) => isVisible(message) && matches(message));
  if (present !== undefined) return present;
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const unsubscribe = world.events.subscribe((event) => {
    if ('message' in event && event.channel === channel && event.type !== 'delete' && matches(event.message)) {
      resolve(event.message);
    }
  });
  const timer = setTimeout(() => {
    const shown = channel.messages.map((message) => `${message.user.name}: ${shownText(message).slice(0, 80)}`);
    reject(new Error(`No such message came within ${timeoutMs} ms; the channel shows:\n${shown.join('\n')}`));
  }, timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}
