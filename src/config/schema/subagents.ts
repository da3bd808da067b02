import { z } from 'zod';
import { filledText, nameText } from './text.ts';

const subagentTypeSchema = z.object({
  /** For the model that delegates: what it is good for. */
  description: filledText,
  soul: z.string().default(''),
  /** Of the assistant's tools those of these names; `all` for every one. */
  tools: z.array(filledText).default(['all']),
  /** A name of `models`. Absent: the assistant's. */
  model: filledText.optional(),
  max_steps: z.int().min(1).max(500).default(50),
  max_run_tokens: z.int().min(1_000).default(500_000),
  timeout_seconds: z.int().min(1).max(86_400).default(900),
});

/** What assistants may hand to others that they start for it. */
export const subagentsSchema = z.object({
  /** Of one person, in one process. */
  at_once: z.int().min(1).max(16).default(3),
  /** For one answer. */
  per_run: z.int().min(1).max(100).default(6),
  types: z.record(nameText, subagentTypeSchema).default({}),
});

export type SubagentsEntry = z.output<typeof subagentsSchema>;
