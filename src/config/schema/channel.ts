import { z } from 'zod';
import { answeringSchema, answeringShape } from './answering.ts';
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
  /** A message to everybody (@all) is one to the bot as well. */
  answer_all: z.boolean().default(false),
  /** What somebody is who is let in and has no other role. */
  role: z.enum(['member', 'guest']).default('member'),
  bots: z
    .object({
      /** What other bots say in a group: `ignore`, or answer what is addressed to this one. */
      policy: z.enum(['ignore', 'answer']).default('ignore'),
      /** Answers to one bot in one chat in the time below. */
      most: z.int().min(1).max(100).default(6),
      window_minutes: z.number().positive().max(1_440).default(10),
      /** Answers to bots in one chat until a person speaks there. */
      hops: z.int().min(1).max(100).default(4),
    })
    .prefault({}),
});

const groupScope = z.enum(['chat', 'topic', 'user', 'topic_user']);
const busy = z.enum(['collect', 'queue', 'steer', 'interrupt', 'reject']);

const sessionSchema = z.object({
  /** Who shares a conversation in a group. */
  group_scope: groupScope.default('topic'),
  /** A conversation in which nobody spoke for so long is not gone on with. Absent: it always is. */
  reset_after_idle_minutes: z.number().positive().max(525_600).optional(),
  /** Every day at this time (of the assistant's time zone) conversations begin anew, e.g. `04:00`. */
  reset_daily_at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as "04:00"')
    .optional(),
  /**
   * What was said before the bot is first spoken to, where the platform tells it: it is never read, only in topics and
   * threads of groups, or in groups without them as well.
   */
  earlier: z.enum(['never', 'topic', 'chat']).default('topic'),
  /**
   * In groups, so many messages that are not to the bot are kept for a day, the newest of each place; the model is told
   * them with the next one that is. 0: none.
   */
  overhear: z.int().min(0).max(200).default(0),
});

/** What is otherwise in one chat. */
const chatSchema = z.object({
  ...answeringSchema.shape,
  busy: busy.optional(),
  group_scope: groupScope.optional(),
  require_mention: z.boolean().optional(),
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
  ...answeringShape,
  /** What is otherwise in single chats, by the platform's chat ids. */
  chats: z.record(filledText, chatSchema).default({}),
  /** What is otherwise for single people, by the platform's user ids. */
  users: z.record(filledText, answeringSchema).default({}),
  access: accessSchema.prefault({}),
  session: sessionSchema.prefault({}),
  /** What a message does that comes while the bot still works on the one before. */
  busy: busy.default('collect'),
  burst: burstSchema.prefault({}),
  /**
   * A message that may or may not have been sent (the connection broke before the answer): `hold` keeps it for an
   * admin, `resend` sends it again and risks saying it twice. Where the platform knows a repeated message, it is always
   * sent again.
   */
  uncertain: z.enum(['hold', 'resend']).default('hold'),
});

export type ChannelCommon = z.output<typeof channelSchema>;
