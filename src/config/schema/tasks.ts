import { z } from 'zod';
import { filledText } from './text.ts';

/** Work that is delegated in chats. */
export const tasksSchema = z.object({
  /** Open tasks that one person may have asked for. */
  per_person: z.int().min(1).max(1_000).default(5),
  /** Open tasks of one chat. */
  per_chat: z.int().min(1).max(10_000).default(20),
  /** Who keeps a task waiting is reminded once, after so many hours. */
  reminder_hours: z.number().positive().max(8_760).default(24),
  /** A task that waits for somebody ends after so many hours. */
  expire_hours: z.number().positive().max(8_760).default(72),
  /** Every day at this time, by the clock of the assistant that answers by default, chats are told of their open tasks. */
  digest_at: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 09:00')
    .optional(),
  /** Reactions to a message that make a task of it, as the platforms name them: 👀, :eyes:, GET. */
  reactions: z.array(filledText).default([]),
  /** How often the work on a task may make another task of it, which may make another. */
  max_hops: z.int().min(0).max(10).default(3),
});
