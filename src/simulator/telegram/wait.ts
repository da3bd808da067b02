import { waitForMessage } from '../kit/wait-for.ts';
import type { Chat, Message } from './chat.ts';
import type { World } from './world.ts';

/**
 * Resolves with the first message of the chat, present or to come, that satisfies `matches`; edits count too.
 * @throws Error after `timeoutMs`, naming what the chat shows instead.
 */
export function waitFor(
  world: World,
  chat: Chat,
  matches: (message: Message) => boolean,
  timeoutMs?: number,
): Promise<Message> {
  return waitForMessage({
    present: chat.messages.find((message) => message.deletedAt === undefined && matches(message)),
    subscribe: (look) =>
      world.events.subscribe((event) => {
        if ('message' in event && event.chat === chat && event.type !== 'delete') look(event.message);
      }),
    matches,
    shown: () => chat.messages.map(({ from, content }) => `${from.firstName}: ${content.text.slice(0, 80)}`),
    timeoutMs,
  });
}
