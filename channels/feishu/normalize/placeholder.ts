import { z } from 'zod';
import type { NormalizeContext, Reading } from './context.ts';
import { type Envelope, millisOf } from './wire.ts';

const bones = z.looseObject({
  message: z.looseObject({
    message_id: z.string().min(1),
    chat_id: z.string().min(1),
    chat_type: z.string().catch(''),
  }),
});

/** A message of which nothing could be used but where it was said, so that somebody is told rather than nobody. */
export function placeholderOf({ header, event }: Envelope, context: NormalizeContext): Reading | null {
  const parsed = bones.safeParse(event);
  if (header.event_type !== 'im.message.receive_v1' || !parsed.success) return null;
  const { message_id: id, chat_id: chat, chat_type: type } = parsed.data.message;
  const isDirect = type === 'p2p';
  return {
    message: {
      channel: context.channel,
      channelType: 'feishu',
      tenant: header.tenant_key,
      chat: { id: chat, kind: isDirect ? 'dm' : 'group' },
      id,
      kind: 'message',
      sender: { id: 'unknown', name: '', isBot: false },
      sentAt: millisOf(header.create_time, context.now),
      text: '[message]',
      addressed: isDirect ? 'dm' : 'none',
      mentions: [],
      files: [],
    },
    lookup: {},
  };
}
