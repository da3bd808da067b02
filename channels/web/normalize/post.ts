import { z } from 'zod';
import { readBody } from '../../../src/base/body.ts';
import type { InboundFile, InboundMessage } from '../../../src/channel/message.ts';
import { limits } from '../limits.ts';

/** The one who talks to the bot on this page, and the chat that is theirs. */
export const owner = { id: 'owner', name: 'Owner', chat: 'owner' } as const;

const refShape = /^[A-Za-z0-9_-]{1,64}$/;
const refWords = '1 to 64 letters, digits, "-" or "_"';

/**
 * What a page posts. The id is made by the page, so that a message which is sent again is still the same one; it has
 * no colon, which every id of a bot's message has. `files` names what was uploaded for this message before.
 */
const post = z
  .object({
    id: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, '8 to 64 letters, digits, "-" or "_"'),
    text: z.string().max(limits.maxPostUtf16),
    files: z.array(z.string().regex(refShape, refWords)).max(limits.maxPostFiles).default([]),
  })
  .refine(({ text, files }) => text.trim() !== '' || files.length > 0, { path: ['text'], error: 'must not be empty' });

export type Post = z.output<typeof post>;

/** Throws `too_large` for a text that is too long and `bad_input` for everything else that is not a post. */
export const readPost = (body: unknown): Post => readBody(post, body);

export interface PostContext {
  readonly channel: string;
  readonly sentAt: number;
  /** The language that the browser asks for. */
  readonly language: string | undefined;
  readonly files: readonly InboundFile[];
}

/** What intake gets of a post. */
export function inboundOf(message: Pick<Post, 'id' | 'text'>, context: PostContext): InboundMessage {
  return {
    channel: context.channel,
    channelType: 'web',
    tenant: '',
    chat: { id: owner.chat, kind: 'dm' },
    id: message.id,
    kind: 'message',
    sender: {
      id: owner.id,
      name: owner.name,
      isBot: false,
      ...(context.language === undefined ? {} : { language: context.language }),
    },
    sentAt: context.sentAt,
    text: message.text,
    addressed: 'dm',
    mentions: [],
    files: context.files,
  };
}
