import type { Chat, Message, User } from './chat.ts';

/** What people in a chat notice. */
export type ChatEvent =
  | { readonly type: 'message' | 'edit' | 'delete' | 'reaction'; readonly chat: Chat; readonly message: Message }
  | {
      readonly type: 'typing';
      readonly chat: Chat;
      readonly user: User;
      readonly action: string;
      readonly until: number;
    }
  | { readonly type: 'pressed'; readonly chat: Chat; readonly message: Message; readonly press: Press }
  | { readonly type: 'members' | 'migrated'; readonly chat: Chat };

/** A button was pressed; `answer` appears once the bot has answered the press. */
export interface Press {
  readonly id: string;
  readonly by: User;
  readonly data: string;
  readonly at: number;
  answer?: { readonly text: string; readonly alert: boolean };
}
