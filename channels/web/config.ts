import { z } from 'zod';

export const webConfig = z.object({
  bot_name: z.string().trim().min(1).max(64).default('Antler').describe('The name above the answers.'),
});

/** The settings of a web chat in `channels.<name>`. */
export type WebConfig = z.output<typeof webConfig>;
