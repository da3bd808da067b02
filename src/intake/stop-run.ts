import type { MessageBus } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { Target } from '../channel/port.ts';
import type { Store } from '../store/port.ts';
import { placeOf } from './place.ts';

/** What a platform's own stop button does: as `/stop`, but without a word. True when a run was stopped. */
export async function stopRun(
  { bus, store }: { readonly bus: MessageBus; readonly store: Store },
  entry: ChannelEntry,
  target: Pick<Target, 'chat' | 'chatKind' | 'topic'>,
  user: string,
): Promise<boolean> {
  const place = placeOf(
    {
      channel: entry.settings.name,
      chat: { id: target.chat, kind: target.chatKind },
      ...(target.topic === undefined ? {} : { topic: target.topic }),
      sender: { id: user },
    },
    entry.settings.groupScope,
  );
  const thread = await store.threads.open(place);
  return bus.cancel(thread.id, 'stop');
}
