import { z } from 'zod';

/**
 * Slack's objects (https://docs.slack.dev/reference/events, https://docs.slack.dev/reference/interaction-payloads), as
 * far as we read them. Unknown fields stay; an optional field of an unexpected shape counts as absent, so that one odd
 * field never costs a message.
 */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const string = () => lenient(z.string());
const flag = () => lenient(z.boolean());
const objects = () => lenient(z.array(z.looseObject({}).catch({})));
/** Seconds with six decimals; a name, not a number. */
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

const file = z.looseObject({
  id: z.string(),
  name: string(),
  title: string(),
  mimetype: string(),
  filetype: string(),
  subtype: string(),
  size: lenient(z.int()),
  mode: string(),
  file_access: string(),
  is_external: flag(),
  external_type: string(),
  permalink: string(),
  url_private: string(),
  url_private_download: string(),
  /** What is said in a clip, as far as Slack has written it down. */
  transcription: lenient(
    z.looseObject({ status: string(), preview: lenient(z.looseObject({ content: string(), has_more: flag() })) }),
  ),
});

const attachment = z.looseObject({
  text: string(),
  fallback: string(),
  title: string(),
  pretext: string(),
  author_name: string(),
  author_id: string(),
  author_subname: string(),
  service_name: string(),
  fields: objects(),
  ts: lenient(ts),
  is_share: flag(),
  is_msg_unfurl: flag(),
  from_url: string(),
  message_blocks: objects(),
  blocks: objects(),
  files: lenient(z.array(file)),
});

const messageCore = z.looseObject({
  subtype: string(),
  user: string(),
  bot_id: string(),
  app_id: string(),
  username: string(),
  /** Given for people of other organisations, who cannot always be looked up. */
  user_profile: lenient(z.looseObject({ display_name: string(), real_name: string(), name: string() })),
  bot_profile: lenient(z.looseObject({ name: string() })),
  text: string(),
  ts,
  thread_ts: lenient(ts),
  parent_user_id: string(),
  blocks: objects(),
  attachments: lenient(z.array(attachment)),
  files: lenient(z.array(file)),
  edited: lenient(z.looseObject({ ts: lenient(ts) })),
  streaming_state: string(),
});

export const messageShape = messageCore.extend({
  type: z.string(),
  channel: z.string(),
  channel_type: string(),
  hidden: flag(),
  message: lenient(messageCore),
  previous_message: lenient(messageCore),
  deleted_ts: lenient(ts),
});

export const reactionShape = z.looseObject({
  type: z.string(),
  user: z.string(),
  reaction: z.string(),
  item_user: string(),
  item: z.looseObject({ type: z.string(), channel: z.string(), ts }),
  event_ts: lenient(ts),
});

export const membershipShape = z.looseObject({
  type: z.string(),
  user: z.string(),
  channel: z.string(),
  inviter: string(),
  event_ts: lenient(ts),
});

/** A private channel that is shared with another organisation becomes one with another id. */
export const moveShape = z.looseObject({
  type: z.string(),
  old_channel_id: z.string(),
  new_channel_id: z.string(),
  event_ts: lenient(ts),
});

/** What is around an event. */
export const eventBodyShape = z.looseObject({
  type: z.string(),
  team_id: z.string().catch(''),
  event_id: z.string().catch(''),
  event: z.looseObject({ type: z.string() }),
  authorizations: lenient(z.array(z.looseObject({ team_id: lenient(z.string()), user_id: string() }).catch({}))),
});

export const pressShape = z.looseObject({
  type: z.literal('block_actions'),
  team: lenient(z.looseObject({ id: z.string() })),
  user: z.looseObject({ id: z.string(), name: string(), username: string(), team_id: string() }),
  channel: lenient(z.looseObject({ id: z.string(), name: string() })),
  container: lenient(z.looseObject({ channel_id: string(), message_ts: lenient(ts), thread_ts: lenient(ts) })),
  message: lenient(messageCore),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string().catch(''),
        action_ts: lenient(ts),
        value: string(),
        selected_option: lenient(z.looseObject({ value: z.string() })),
      }),
    )
    .min(1),
});

export const commandShape = z.looseObject({
  command: z.string(),
  text: z.string().catch(''),
  team_id: z.string().catch(''),
  channel_id: z.string(),
  channel_name: string(),
  user_id: z.string(),
  user_name: string(),
  trigger_id: string(),
  response_url: string(),
});

export const shortcutShape = z.looseObject({
  type: z.literal('message_action'),
  trigger_id: string(),
  action_ts: lenient(ts),
  team: lenient(z.looseObject({ id: z.string() })),
  user: z.looseObject({ id: z.string(), name: string(), username: string(), team_id: string() }),
  channel: z.looseObject({ id: z.string(), name: string() }),
  message: messageCore,
});

/** What files.info answers. */
export const fileInfoShape = z.looseObject({ file });

/** What conversations.replies answers: the root first, then the replies, oldest first. */
export const repliesShape = z.looseObject({
  messages: z.array(messageCore),
  response_metadata: lenient(z.looseObject({ next_cursor: string() })),
});

export type Message = z.output<typeof messageShape>;
/** A message as it stands inside an event about it. */
export type MessageCore = z.output<typeof messageCore>;
export type Reaction = z.output<typeof reactionShape>;
export type Membership = z.output<typeof membershipShape>;
export type Move = z.output<typeof moveShape>;
export type Press = z.output<typeof pressShape>;
export type Shortcut = z.output<typeof shortcutShape>;
export type Command = z.output<typeof commandShape>;
export type File = z.output<typeof file>;
export type Attachment = z.output<typeof attachment>;
