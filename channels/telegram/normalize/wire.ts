import { z } from 'zod';

/**
 * The Bot API's objects (https://core.telegram.org/bots/api#available-types), as far as we read them. Unknown fields
 * stay, since new message kinds are known by them; an optional field of an unexpected shape counts as absent, so that
 * one odd field never costs a message.
 */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const string = () => lenient(z.string());
const int = () => lenient(z.int());
const flag = () => lenient(z.boolean());
const titled = lenient(z.looseObject({ title: string() }));
const prized = lenient(z.looseObject({ prize_description: string() }));

export const userShape = z.looseObject({
  id: z.int(),
  is_bot: z.boolean().catch(false),
  first_name: z.string().catch(''),
  last_name: string(),
  username: string(),
  language_code: string(),
});

const chat = z.looseObject({
  id: z.int(),
  type: z.string(),
  title: string(),
  username: string(),
  first_name: string(),
  last_name: string(),
});

const entity = z.looseObject({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  url: string(),
  user: lenient(userShape),
});

export const fileShape = z.looseObject({
  file_id: z.string(),
  file_unique_id: z.string().catch(''),
  file_size: int(),
  file_name: string(),
  mime_type: string(),
});

const sticker = fileShape.extend({ emoji: string(), is_animated: flag(), is_video: flag() });
export const photoShape = z.array(fileShape);

/** What replies to other chats carry of the message that they reply to. */
const origin = z.looseObject({
  type: z.string(),
  sender_user: lenient(userShape),
  sender_user_name: string(),
  sender_chat: lenient(chat),
  chat: lenient(chat),
});

const contents = {
  text: string(),
  entities: lenient(z.array(entity)),
  caption: string(),
  caption_entities: lenient(z.array(entity)),
  rich_message: lenient(z.looseObject({ blocks: z.array(z.unknown()) })),
  photo: lenient(photoShape),
  live_photo: lenient(fileShape.extend({ photo: lenient(photoShape) })),
  paid_media: lenient(
    z.looseObject({
      star_count: int(),
      paid_media: z.array(z.looseObject({ photo: lenient(photoShape), video: lenient(fileShape) })).catch([]),
    }),
  ),
  document: lenient(fileShape),
  animation: lenient(fileShape),
  audio: lenient(fileShape.extend({ title: string(), performer: string() })),
  voice: lenient(fileShape),
  video: lenient(fileShape),
  video_note: lenient(fileShape),
  sticker: lenient(sticker),
  location: lenient(z.looseObject({ latitude: z.number(), longitude: z.number() })),
  venue: lenient(z.looseObject({ title: z.string(), address: z.string().catch('') })),
  contact: lenient(z.looseObject({ first_name: z.string(), last_name: string(), phone_number: string() })),
  poll: lenient(
    z.looseObject({ question: z.string(), options: z.array(z.looseObject({ text: z.string() })).catch([]) }),
  ),
  dice: lenient(z.looseObject({ emoji: z.string(), value: z.int() })),
  game: titled,
  invoice: titled,
  story: lenient(z.looseObject({ chat: lenient(chat) })),
  checklist: lenient(
    z.looseObject({ title: z.string(), tasks: z.array(z.looseObject({ text: z.string() })).catch([]) }),
  ),
  giveaway: prized,
  giveaway_winners: prized,
};

const messageCore = z.looseObject({
  message_id: z.int(),
  ephemeral_message_id: lenient(z.union([z.int(), z.string()])),
  date: z.int(),
  edit_date: int(),
  chat,
  from: lenient(userShape),
  sender_chat: lenient(chat),
  author_signature: string(),
  message_thread_id: int(),
  is_topic_message: flag(),
  is_automatic_forward: flag(),
  business_connection_id: string(),
  guest_query_id: string(),
  forward_origin: lenient(origin),
  quote: lenient(z.looseObject({ text: z.string() })),
  external_reply: lenient(z.looseObject({ ...contents, origin: lenient(origin), message_id: int() })),
  new_chat_members: lenient(z.array(userShape)),
  left_chat_member: lenient(userShape),
  migrate_to_chat_id: int(),
  migrate_from_chat_id: int(),
  forum_topic_created: lenient(z.looseObject({})),
  ...contents,
});

/** The API nests replies one level deep. */
export const messageShape = messageCore.extend({
  reply_to_message: lenient(messageCore),
  reply_to_story: contents.story,
});

const callbackQuery = z.looseObject({
  id: z.string(),
  from: userShape,
  message: lenient(messageCore),
  data: string(),
});

const membership = z.looseObject({
  chat,
  from: userShape,
  date: z.int(),
  old_chat_member: z.looseObject({ status: z.string() }),
  new_chat_member: z.looseObject({ status: z.string() }),
});

const reaction = z.looseObject({ type: z.string(), emoji: string() });

const reactions = z.looseObject({
  chat,
  message_id: z.int(),
  user: lenient(userShape),
  actor_chat: lenient(chat),
  date: z.int(),
  old_reaction: z.array(reaction).catch([]),
  new_reaction: z.array(reaction).catch([]),
});

/** One update; at most one of its fields but the first is there. */
export const updateShape = z.looseObject({
  update_id: z.int(),
  message: messageShape.optional(),
  edited_message: messageShape.optional(),
  channel_post: messageShape.optional(),
  edited_channel_post: messageShape.optional(),
  callback_query: callbackQuery.optional(),
  my_chat_member: membership.optional(),
  message_reaction: reactions.optional(),
});

/** What we ask for. Named one by one: an absent list means whatever an earlier program asked for. */
export const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  'message_reaction',
] as const satisfies readonly (keyof z.output<typeof updateShape>)[];

export type Update = z.output<typeof updateShape>;
export type Message = z.output<typeof messageShape>;
export type RepliedMessage = z.output<typeof messageCore>;
export type Entity = z.output<typeof entity>;
export type User = z.output<typeof userShape>;
export type Chat = z.output<typeof chat>;
export type File = z.output<typeof fileShape>;
export type Origin = z.output<typeof origin>;
export type CallbackQuery = z.output<typeof callbackQuery>;
export type Reactions = z.output<typeof reactions>;
export type Membership = z.output<typeof membership>;
/** A message, or what is known of one in another chat. */
export type Contents = Pick<RepliedMessage, keyof typeof contents>;
