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
