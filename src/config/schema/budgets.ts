import { z } from 'zod';
import { isRole, ROLES } from '../../base/roles.ts';
import { nameText, timeZoneText } from './text.ts';

/** `none` lifts what would count otherwise. */
const limit = z
  .union([z.int().min(1).max(1e12), z.literal('none')], { error: 'expected a whole number from 1 on, or none' })
  .optional();

/** What may be used; what is absent has no limit, or the one that counts otherwise. */
const limitsSchema = z.object({
  /** Input and output together. */
  tokens_per_day: limit,
  /** Answers. */
  runs_per_hour: limit,
  /** Answers that are worked on at once. */
  concurrent_runs: limit,
});

const roleName = z.string().refine((word): boolean => isRole(word), `expected one of ${ROLES.join(', ')}`);

const inChannel = z.string().regex(/^[^/]+\/.+$/, 'expected <channel>/<id>, such as telegram/123456789');

/** What people, chats, channels and assistants may use. */
export const budgetsSchema = z.object({
  person: limitsSchema.prefault({}),
  chat: limitsSchema.prefault({}),
  channel: limitsSchema.prefault({}),
  assistant: limitsSchema.prefault({}),
  /** In the place of what persons have otherwise. */
  by_role: z.record(roleName, limitsSchema).default({}),
  /** In the place of everything else. */
  overrides: z
    .object({
      /** By `<channel>/<user id>`. */
      users: z.record(inChannel, limitsSchema).default({}),
      /** By `<channel>/<chat id>`. */
      chats: z.record(inChannel, limitsSchema).default({}),
      /** By the channel's name. */
      channels: z.record(nameText, limitsSchema).default({}),
      /** By the key of `assistants`. */
      assistants: z.record(nameText, limitsSchema).default({}),
    })
    .prefault({}),
  /** Roles that are counted, and never stopped. */
  exempt: z.array(z.enum(ROLES)).default([]),
  /** In which days begin, for everybody alike. */
  time_zone: timeZoneText.default('UTC'),
  /** How long it is kept what was used on a day. */
  keep_days: z.int().min(2).max(3_650).default(62),
});

export type LimitsEntry = z.output<typeof limitsSchema>;
