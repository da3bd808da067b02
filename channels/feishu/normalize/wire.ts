import { z } from 'zod';

/**
 * Events and messages (https://open.feishu.cn/document/server-docs/im-v1/message/events/receive), as far as we read
 * them. Everything but what identifies a message may be missing or odd; one odd field never costs a message.
 */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const string = () => lenient(z.string());

/** Ids are missing where the app lacks the permission for that kind of id. */
const ids = z.looseObject({ open_id: string(), union_id: string(), user_id: string() });

/** In events `id` is an object, in messages that were fetched it is the id itself. */
const mention = z.looseObject({
  key: z.string(),
  id: z.union([z.string(), ids]).catch(''),
  name: z.string().catch(''),
});
export type WireMention = z.output<typeof mention>;

const time = z.union([z.string(), z.number()]).optional().catch(undefined);

const messageCore = {
  message_id: z.string().min(1),
  root_id: string(),
  parent_id: string(),
  thread_id: string(),
  create_time: time,
  chat_id: z.string().min(1),
  mentions: z.array(mention).catch([]),
};

export const receiveShape = z.looseObject({
  sender: z
    .looseObject({ sender_id: ids.catch({}), sender_type: z.string().catch('user'), tenant_key: string() })
    .catch({ sender_id: {}, sender_type: 'user', tenant_key: undefined }),
  message: z.looseObject({
    ...messageCore,
    chat_type: z.string().catch('group'),
    message_type: z.string().catch(''),
    content: z.string().catch(''),
  }),
});

/** A message as `GET /im/v1/messages/:id` has it. */
export const itemShape = z.looseObject({
  ...messageCore,
  chat_id: z.string().catch(''),
  msg_type: z.string().catch(''),
  deleted: z.boolean().catch(false),
  sender: z
    .looseObject({ id: z.string().catch(''), id_type: string(), sender_type: z.string().catch('') })
    .catch({ id: '', id_type: undefined, sender_type: '' }),
  body: z.looseObject({ content: z.string().catch('') }).catch({ content: '' }),
  upper_message_id: string(),
});
export type Item = z.output<typeof itemShape>;

export const itemsShape = z.looseObject({ data: z.looseObject({ items: z.array(itemShape) }) });

export const envelopeShape = z.looseObject({
  schema: string(),
  header: z.looseObject({
    event_id: z.string().min(1),
    event_type: z.string(),
    create_time: time,
    tenant_key: z.string().catch(''),
    token: string(),
  }),
  event: z.looseObject({}).catch({}),
});
export type Envelope = z.output<typeof envelopeShape>;

export const recalledShape = z.looseObject({
  message_id: z.string().min(1),
  chat_id: z.string().min(1),
  recall_time: time,
});

export const reactionShape = z.looseObject({
  message_id: z.string().min(1),
  reaction_type: z.looseObject({ emoji_type: z.string() }),
  operator_type: z.string().catch('user'),
  user_id: ids.catch({}),
  action_time: time,
});

export const membershipShape = z.looseObject({
  chat_id: z.string().min(1),
  operator_id: ids.catch({}),
  operator_tenant_key: string(),
});

/** People who came into a group or left it. */
export const peopleShape = membershipShape.extend({
  name: string(),
  users: z.array(z.looseObject({ name: string(), user_id: ids.catch({}) })).catch([]),
});

/** Somebody has opened the direct chat. The id is missing as long as nothing was said in it. */
export const enteredShape = z.looseObject({
  chat_id: z.string().min(1),
  operator_id: ids.catch({}),
  last_message_id: string(),
});

export const menuShape = z.looseObject({
  operator: z.looseObject({ operator_name: string(), operator_id: ids.catch({}) }),
  event_key: z.string(),
  timestamp: time,
});

export const cardActionShape = z.looseObject({
  operator: ids.extend({ tenant_key: string() }),
  action: z.looseObject({
    tag: z.string().catch(''),
    value: z.unknown().optional(),
    option: string(),
    options: lenient(z.array(z.string())),
    checked: lenient(z.boolean()),
    input_value: string(),
    form_value: z.unknown().optional(),
    name: string(),
  }),
  context: z.looseObject({ open_message_id: z.string().catch(''), open_chat_id: z.string().min(1) }),
});
export type CardAction = z.output<typeof cardActionShape>;

export type Ids = z.output<typeof ids>;

/** The best id there is; `open_id` is what sends and mentions use. */
export const idOf = ({ open_id, union_id, user_id }: Ids): string | undefined =>
  [open_id, union_id, user_id].find((id) => id !== undefined && id !== '');

/** Times are milliseconds as text; the old schema and some events have seconds. */
export function millisOf(time: string | number | undefined, otherwise: number): number {
  const value = Number(time);
  if (time === undefined || time === '' || !Number.isFinite(value) || value <= 0) return otherwise;
  if (value > 1e14) return Math.round(value / 1_000); // microseconds, in the headers of callbacks
  return value < 1e11 ? value * 1_000 : value;
}
