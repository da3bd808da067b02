import type { ThreadKey } from '../base/ids.ts';
import type { Store } from '../store/port.ts';

/** How much of a conversation is looked through. */
const ENTRIES = 400;

/** Somebody's words. */
interface Words {
  readonly name: string;
  readonly text: string;
}

/**
 * What a message said that is known by its id alone: it was read along, or stands in the conversation of its place. Null:
 * it was never read, or too long ago.
 */
export async function earlierWords(
  store: Pick<Store, 'overheard' | 'threads' | 'log'>,
  { channel, chat, place }: { readonly channel: string; readonly chat: string; readonly place: ThreadKey },
  id: string,
): Promise<Words | null> {
  const overheard = await store.overheard.find(channel, chat, id);
  if (overheard !== null) return overheard;
  const thread = await store.threads.find(place);
  const entries = thread === null ? [] : await store.log.read(thread.id, ENTRIES);
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'user' && entry.id === `${channel}/${chat}/${id}`)
      return { name: entry.speaker.name, text: entry.text };
    const heard = entry.kind === 'heard' ? entry.messages.find((one) => one.id === id && !one.fromBot) : undefined;
    if (heard !== undefined) return heard;
  }
  return null;
}
