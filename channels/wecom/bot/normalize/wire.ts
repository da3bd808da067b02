import { z } from 'zod';

/**
 * What AI bots are told, by the long connection and by callbacks alike, as far as we read it
 * (https://developer.work.weixin.qq.com/document/path/100719 and /101027). Null stands for nothing at any level, and one
 * odd field never costs a message.
 */
const lenient = <T extends z.ZodType>(type: T) =>
  type
    .nullish()
    .catch(undefined)
    .transform((value) => value ?? undefined);
const string = () => lenient(z.string());

const words = lenient(z.looseObject({ content: string() }));
const file = lenient(z.looseObject({ url: string(), aeskey: string(), filename: string(), name: string() }));
export type WireFile = NonNullable<z.output<typeof file>>;

const item = {
  msgtype: z.string().catch(''),
  text: words,
  voice: words,
  image: file,
  file,
  video: file,
};
const itemShape = z.looseObject(item);
export type Item = z.output<typeof itemShape>;

const contents = {
  ...item,
  mixed: lenient(z.looseObject({ msg_item: z.array(z.unknown()).catch([]) })),
};

const contentsShape = z.looseObject(contents);
export type Contents = z.output<typeof contentsShape>;

/** The parts of a mixed message, without what is none. */
export const itemsOf = ({ mixed }: Contents): Item[] =>
  (mixed?.msg_item ?? []).flatMap((part) => itemShape.safeParse(part).data ?? []);

const selected = z.looseObject({
  question_key: string(),
  option_ids: lenient(z.looseObject({ option_id: z.array(z.string()).catch([]) })),
});

const cardEvent = {
  event_key: string(),
  task_id: string(),
  card_type: string(),
  selected_items: lenient(z.looseObject({ selected_item: z.array(selected).catch([]) })),
};

/** What was done on a card, and feedback, stand under the event's own name, or, in the SDK's types, right in the event. */
const event = z.looseObject({
  eventtype: z.string().catch(''),
  ...cardEvent,
  template_card_event: lenient(z.looseObject(cardEvent)),
  feedback_event: lenient(z.looseObject({ id: string(), type: lenient(z.number()), content: string() })),
});
export type WireEvent = z.output<typeof event>;

export const bodyShape = z.looseObject({
  ...contents,
  msgid: z.string().min(1),
  create_time: lenient(z.number()),
  chatid: string(),
  chattype: string(),
  from: z.looseObject({ userid: z.string().min(1), corpid: string() }),
  quote: lenient(contentsShape),
  event: lenient(event),
  response_url: string(),
});
export type Body = z.output<typeof bodyShape>;

/** WeCom asks how a growing answer stands. */
export const pollShape = z.looseObject({
  msgtype: z.literal('stream'),
  chatid: string(),
  chattype: string(),
  from: lenient(z.looseObject({ userid: string() })),
  stream: z.looseObject({ id: z.string().min(1) }),
});
export type Poll = z.output<typeof pollShape>;
