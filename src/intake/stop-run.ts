import type { MessageBus } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { Target } from '../channel/port.ts';
import type { Store } from '../store/port.ts';
import { placeAt } from './place.ts';

/** What a platform's own stop button does: as `/stop`, but without a word. True when a run was stopped. */
export async function stopRun(
  { bus, store }: { readonly bus: MessageBus; readonly store: Store },
  entry: ChannelEntry,
  target: Pick<Target, 'chat' | 'chatKind' | 'topic'>,
  user: string,
): Promise<boolean> {
  const thread = await store.threads.open(placeAt(target, user, entry.settings));
  return bus.cancel(thread.id, 'stop');
}
