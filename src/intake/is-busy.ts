import type { MessageBus } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { Target } from '../channel/port.ts';
import type { Store } from '../store/port.ts';
import { placeAt } from './place.ts';

/** Is anything that was said in this conversation still waiting to be answered, or being answered? */
export async function isBusy(
  { bus, store }: { readonly bus: MessageBus; readonly store: Store },
  entry: ChannelEntry,
  target: Pick<Target, 'chat' | 'chatKind' | 'topic'>,
  user: string,
): Promise<boolean> {
  const thread = await store.threads.open(placeAt(target, user, entry.settings));
  const { state, waiting } = await bus.threadState(thread.id);
  return state !== 'idle' || waiting > 0;
}
