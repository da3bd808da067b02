import { z } from 'zod';
import { filledText } from './text.ts';

/** How much a model thinks before it answers, where its endpoint knows of that; `none`: not at all. */
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']);

/** What a rule, a channel, a chat or a person can have otherwise than the assistant says. */
export const answeringShape = {
  /** A name of `models`. */
  model: filledText.optional(),
  reasoning_effort: reasoningEffort.optional(),
  /** Model calls in one run. */
  max_steps: z.int().min(1).max(500).optional(),
  /** Tokens of one run, input and output together. */
  max_run_tokens: z.int().min(1_000).optional(),
};

/** The same with the assistant itself: a key of `assistants`. */
export const answeringSchema = z.object({ assistant_id: filledText.optional(), ...answeringShape });

export type AnsweringEntry = z.output<typeof answeringSchema>;
