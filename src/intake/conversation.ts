import type { ThreadKey } from '../base/ids.ts';
import type { MessageBus, ThreadState } from '../bus/port.ts';
import type { Store } from '../store/port.ts';

interface Rooms {
  readonly bus: Pick<MessageBus, 'cancel' | 'threadState'>;
  readonly store: Pick<Store, 'threads'>;
}

/** What the conversation of a place is doing. Asking begins none. */
export async function stateAt({ bus, store }: Rooms, place: ThreadKey): Promise<ThreadState> {
  const thread = await store.threads.find(place);
  return thread === null ? { state: 'idle', waiting: 0 } : bus.threadState(thread.id);
}

/** Is anything that was said there still waiting to be answered, or being answered? */
export async function isBusyAt(rooms: Rooms, place: ThreadKey): Promise<boolean> {
  const { state, waiting } = await stateAt(rooms, place);
  return state !== 'idle' || waiting > 0;
}

/** Stops what the bot is doing there; true when something was stopped, and then the run itself says so. */
export async function stopAt({ bus, store }: Rooms, place: ThreadKey): Promise<boolean> {
  const thread = await store.threads.find(place);
  return thread !== null && bus.cancel(thread.id, 'stop');
}
