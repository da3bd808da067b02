import { waitForMessage } from '../kit/wait-for.ts';
import { type Channel, isVisible, type Message, shownText } from './model.ts';
import type { World } from './world.ts';

/** Resolves with the first message of the channel, present or to come, that satisfies `matches`; edits count too. */
export const waitFor = (
  world: World,
  channel: Channel,
  matches: (message: Message) => boolean,
  timeoutMs?: number,
): Promise<Message> =>
  waitForMessage({
    present: channel.messages.find((message) => isVisible(message) && matches(message)),
    subscribe: (look) =>
      world.events.subscribe((event) => {
        if ('message' in event && event.channel === channel && event.type !== 'delete') look(event.message);
      }),
    matches,
    shown: () => channel.messages.map((message) => `${message.user.name}: ${shownText(message).slice(0, 80)}`),
    timeoutMs,
  });
