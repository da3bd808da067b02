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
