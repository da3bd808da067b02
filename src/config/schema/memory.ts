import { z } from 'zod';
import { filledText } from './text.ts';

/** What is remembered about people and groups over conversations. */
export const memorySchema = z.object({
  enabled: z.boolean().default(true),
  /** A name of `models`: which learns from what was said. Absent: the assistant's. */
  model: filledText.optional(),
  /** That are kept of a person or a group. */
  max_facts: z.int().min(10).max(500).default(100),
  /** Tokens of a request that they may take. */
  inject_tokens: z.int().min(100).max(8_000).default(800),
  /** Are people told what was learnt, in private chats? */
  notice: z.boolean().default(true),
  notice_in_groups: z.boolean().default(false),
  /** How long a conversation must be quiet before it is learnt from. */
  debounce_seconds: z.int().min(1).max(300).default(30),
});
