import { z } from 'zod';
import { filledText, seconds } from './text.ts';

/** A program that speaks the Agent Client Protocol; assistants that name it use it as a tool. */
export const agentSchema = z.object({
  command: filledText,
  args: z.array(z.string()).default([]),
  /** All that it gets of the environment, besides PATH and its working folder as HOME. */
  env: z.record(z.string(), z.string().meta({ secret: true })).default({}),
  /** For the model: what it is good for. */
  description: z.string().max(500).default(''),
  /** What becomes of its requests for permission. */
  permissions: z.enum(['ask', 'allow_read', 'deny']).default('ask'),
  start_seconds: seconds.default(30),
  prompt_seconds: seconds.default(600),
});
