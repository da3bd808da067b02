import { z } from 'zod';

/** What people want to be done later, or again and again. */
export const schedulesSchema = z.object({
  /** How many one person may have at once. */
  per_person: z.int().min(1).max(1_000).default(20),
  /** What was due while nothing ran is done after all when it is no later than this. */
  missed_minutes: z.number().min(0).max(10_080).default(60),
});
