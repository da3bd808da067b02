import type { Channel, Message, User } from './model.ts';

/** What people in a channel notice. */
export type ChannelEvent =
  | { readonly type: 'message' | 'edit' | 'delete' | 'reaction'; readonly channel: Channel; readonly message: Message }
  | {
      readonly type: 'status';
      readonly channel: Channel;
      readonly user: User;
      readonly threadTs: string;
      readonly status: string;
    }
  | { readonly type: 'ephemeral'; readonly channel: Channel; readonly to: string; readonly text: string }
  | { readonly type: 'members'; readonly channel: Channel };

export type Listener = (event: ChannelEvent) => void;

/** Tells everybody who listens, in order, at once. */
export class Events {
  readonly #listeners = new Set<Listener>();

  emit(event: ChannelEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
