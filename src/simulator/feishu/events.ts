import type { App, Chat, Message } from './model.ts';

/** What people in a chat notice. */
export type ChatEvent =
  | { readonly type: 'message' | 'edit' | 'recall' | 'reaction'; readonly chat: Chat; readonly message: Message }
  | { readonly type: 'members'; readonly chat: Chat };

/** An event on its way to an app, as the platform words it. */
export interface Push {
  readonly app: App;
  readonly id: string;
  readonly type: string;
  /** The envelope of schema 2.0 without the verification token, which only webhooks carry. */
  readonly envelope: Readonly<Record<string, unknown>>;
}

/** Tells everybody who listens, in order, at once. */
export class Signal<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  emit(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
