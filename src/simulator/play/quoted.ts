import type { PlayMessage } from './port.ts';

/** Messages of a chat, each with what it quotes, if that is still shown. `quotedId` has an entry for each message. */
export function withQuoted(
  messages: readonly PlayMessage[],
  quotedId: readonly (string | undefined)[],
): readonly PlayMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return messages.map((message, index) => {
    const quoted = byId.get(quotedId[index] ?? '');
    if (quoted === undefined) return message;
    return { ...message, quoting: { id: quoted.id, name: quoted.by.name, text: quoted.text } };
  });
}
