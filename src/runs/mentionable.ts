import { parseImUserKey } from '../base/ids.ts';
import type { LogEntry } from '../harness/log.ts';
import type { TurnPayload } from './turn-input.ts';

/**
 * Whom an answer in this chat may mention, by name: who has spoken in the conversation or was mentioned in this turn.
 * A name that two of them bear calls neither.
 */
export function mentionable(history: readonly LogEntry[], payloads: readonly TurnPayload[]): Map<string, string> {
  const users = new Map<string, Set<string>>();
  const know = (name: string, id: string): void => {
    if (name === '') return;
    const ids = users.get(name) ?? new Set();
    users.set(name, ids.add(id));
  };
  for (const { message } of payloads) {
    know(message.sender.name, message.sender.id);
    for (const { name, id } of message.mentions) know(name, id);
  }
  const here = payloads.at(-1)?.message;
  for (const entry of history) {
    if (entry.kind !== 'user') continue;
    const { channelType, tenant, user } = parseImUserKey(entry.speaker.id);
    if (channelType === here?.channelType && tenant === here.tenant) know(entry.speaker.name, user);
  }
  const single = [...users].flatMap(([name, [id, ...others]]) =>
    id === undefined || others.length > 0 ? [] : [[name, id] as const],
  );
  return new Map(single);
}
