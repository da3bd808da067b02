import { z } from 'zod';

/** Work that is delegated in chats. */
export const tasksSchema = z.object({
  /** Open tasks that one person may have asked for. */
  per_person: z.int().min(1).max(1_000).default(5),
  /** Open tasks of one chat. */
  per_chat: z.int().min(1).max(10_000).default(20),
  /** How often the work on a task may make another task of it, which may make another. */
  max_hops: z.int().min(0).max(10).default(3),
});
