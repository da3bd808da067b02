import { z } from 'zod';
import { ROLES } from '../../base/roles.ts';
import { filledText, httpUrl } from './text.ts';

/** Patterns in which `*` stands for anything. An empty list would fit nobody, and was hardly meant. */
const patterns = z.array(filledText).min(1, 'name at least one, or leave the key out for everybody');

const guardRuleSchema = z.object({
  effect: z.enum(['allow', 'deny', 'ask']),
  /** Names of tools. */
  tools: patterns,
  /** `<channel>/<user id>`. */
  users: patterns.optional(),
  roles: patterns.optional(),
  /** `<channel>/<chat id>`. */
  chats: patterns.optional(),
  assistants: patterns.optional(),
  /** Of `ask`: what whoever allows it must be at least. Absent: who asks for it may. */
  approver: z.enum(ROLES).optional(),
});

/** Who may use which tools. */
export const guardrailsSchema = z.object({
  /** The first that fits decides; where none does, the tool may be used. */
  rules: z.array(guardRuleSchema).default([]),
  /** A policy service that is asked besides; without its answer nothing is allowed. */
  provider: z
    .object({
      url: httpUrl,
      token: z.string().default('').meta({ secret: true }),
      timeout_seconds: z.number().positive().max(60).default(5),
    })
    .optional(),
});

export type GuardrailsEntry = z.output<typeof guardrailsSchema>;
