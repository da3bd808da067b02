import type { z } from 'zod';
import type { InboundMessage } from '../../../../src/channel/message.ts';
import { personName, safeName } from '../../../../src/format/safe-name.ts';
import { millisOf, type NormalizeContext } from './context.ts';
import type { membershipFactsShape } from './facts.ts';

/** Somebody, perhaps the bot, came into a room or left it. */
export function convertMembership(
  facts: z.output<typeof membershipFactsShape>,
  { channel, now }: NormalizeContext,
): InboundMessage {
  const { kind, roomId, topic, timestamp, by } = facts;
  const people = facts.people.map(({ id, name }) => ({ id, name: personName(name) }));
  const sentAt = millisOf(timestamp, now);
  return {
    ...{ channel, channelType: 'wechat' as const, tenant: '', kind, sentAt },
    chat: { id: roomId, kind: 'group', ...(topic === undefined ? {} : { title: safeName(topic) }) },
    // The event has no id of its own.
    id: `${sentAt}:${people.map(({ id }) => id).join(',')}`,
    sender: { id: by.id, name: personName(by.name), isBot: by.id === facts.account.id },
    text: people.flatMap(({ name }) => (name === '' ? [] : [name])).join(', '),
    addressed: 'none',
    mentions: people,
    files: [],
  };
}
