import { z } from 'zod';
import { filledText } from './text.ts';

const accessSchema = z.object({
  /** `pairing`: a stranger gets a code, and is let in when an admin approves it. */
  dm: z.enum(['open', 'pairing', 'allowlist', 'disabled']).default('open'),
  allow_users: z.array(filledText).default([]),
  /** May always write to the bot, and may let others in with /pair. */
  admins: z.array(filledText).default([]),
  groups: z.enum(['open', 'allowlist', 'disabled']).default('open'),
  allow_groups: z.array(filledText).default([]),
  /** In groups, answer only when mentioned or replied to. */
  require_mention: z.boolean().default(true),
});

const sessionSchema = z.object({
  /** Who shares a conversation in a group. */
  group_scope: z.enum(['chat', 'topic', 'user', 'topic_user']).default('topic'),
});

/** Messages that come right after one another are answered together. Milliseconds. */
const burstSchema = z.object({
  /** Wait so long for more before answering at all. 0: answer at once. */
  wait_ms: z.int().min(0).max(60_000).default(0),
  /** After an answer, wait so long for more of what came meanwhile. */
  wait_busy_ms: z.int().min(0).max(60_000).default(500),
  /** Never wait longer than this since the first message. */
  most_ms: z.int().min(0).max(300_000).default(5_000),
});

/** The keys that every channel has, whatever its type; the adapter's manifest adds its own. */
export const channelSchema = z.object({
  /** Absent: the channel's name. */
  type: filledText.optional(),
  enabled: z.boolean().default(true),
  /** A key of `assistants`. Absent: the default assistant. */
  assistant_id: filledText.optional(),
  access: accessSchema.prefault({}),
  session: sessionSchema.prefault({}),
  /** What a message does that comes while the bot still works on the one before. */
  busy: z.enum(['collect', 'queue', 'steer', 'interrupt', 'reject']).default('collect'),
  burst: burstSchema.prefault({}),
  /**
   * A message that may or may not have been sent (the connection broke before the answer): `hold` keeps it for an
   * admin, `resend` sends it again and risks saying it twice. Where the platform knows a repeated message, it is always
   * sent again.
   */
  uncertain: z.enum(['hold', 'resend']).default('hold'),
});

export type ChannelCommon = z.output<typeof channelSchema>;
