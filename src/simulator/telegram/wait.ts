import type { Chat, Message } from './chat.ts';
import type { World } from './world.ts';

/**
 * Resolves with the first message of the chat, present or to come, that satisfies `matches`; edits count too.
 * @throws Error after `timeoutMs`, naming what the chat shows instead.
 */
export async function waitFor(
  world: World,
  chat: Chat,
  matches: (message: Message) => boolean,
  timeoutMs = 5_000,
): Promise<Message> {
  const present = chat.messages.find((message) => message.deletedAt === undefined && matches(message));
  if (present !== undefined) return present;
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const unsubscribe = world.events.subscribe((event) => {
    if ('message' in event && event.chat === chat && event.type !== 'delete' && matches(event.message))
      resolve(event.message);
  });
  const timer = setTimeout(() => {
    const shown = chat.messages.map(({ from, content }) => `${from.firstName}: ${content.text.slice(0, 80)}`);
    reject(new Error(`No such message came within ${timeoutMs} ms; the chat shows:\n${shown.join('\n')}`));
  }, timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}
