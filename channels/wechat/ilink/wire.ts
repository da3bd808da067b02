import { z } from 'zod';

/**
 * iLink's objects, as far as we read them; their shapes are those of Tencent's own client
 * (https://www.npmjs.com/package/@tencent-weixin/openclaw-weixin). An optional field of an unexpected shape counts as
 * absent, so that one odd field never costs a message.
 */
const lenient = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const string = () => lenient(z.string());
const number = () => lenient(z.coerce.number());

/** An unsigned 64-bit number or a text; 0 and the empty text stand for "none". */
const id = () =>
  lenient(z.union([z.string(), z.int()]).transform((value) => (value === 0 || value === '0' ? '' : String(value))));

const media = z.looseObject({ encrypt_query_param: string(), aes_key: string(), full_url: string() });

const contents = {
  type: number(),
  msg_id: id(),
  text_item: lenient(z.looseObject({ text: string() })),
  image_item: lenient(z.looseObject({ media: lenient(media), aeskey: string(), hd_size: number() })),
  voice_item: lenient(z.looseObject({ media: lenient(media), text: string(), encode_type: number() })),
  file_item: lenient(z.looseObject({ media: lenient(media), file_name: string(), len: number() })),
  video_item: lenient(z.looseObject({ media: lenient(media), video_size: number() })),
};

const quotedItem = z.looseObject(contents);

const partialText = z.looseObject({
  start: z.string().min(1),
  end: z.string().min(1),
  startindex: z.int().min(0),
  endindex: z.int().min(0),
  quotemd5: string(),
});

const reference = z.looseObject({
  message_item: lenient(quotedItem),
  title: string(),
  svr_id: id(),
  partial_text: lenient(partialText),
});

const item = z.looseObject({ ...contents, ref_msg: lenient(reference) });

export const messageShape = z.looseObject({
  message_id: id(),
  from_user_id: z.string().min(1),
  group_id: string(),
  create_time_ms: number(),
  delete_time_ms: number(),
  message_type: number(),
  message_state: number(),
  context_token: string(),
  item_list: lenient(z.array(z.unknown())),
});

export const itemShape = item;

export type Message = z.output<typeof messageShape>;
export type Item = z.output<typeof item>;
export type QuotedItem = z.output<typeof quotedItem>;
export type Media = z.output<typeof media>;
export type PartialText = z.output<typeof partialText>;

/** What every answer may say besides: https://github.com/openclaw/openclaw/issues/90949 shows both fields in use. */
export const verdictShape = z.looseObject({ ret: number(), errcode: number(), errmsg: string() });

export const updatesShape = z.looseObject({
  msgs: z
    .array(z.unknown())
    .nullish()
    .transform((messages) => messages ?? [])
    .catch([]),
  get_updates_buf: string(),
  longpolling_timeout_ms: number(),
});

export const qrShape = z.looseObject({ qrcode: z.string().min(1), qrcode_img_content: z.string().min(1) });

export const qrStatusShape = z.looseObject({
  status: z.string(),
  bot_token: string(),
  ilink_bot_id: string(),
  baseurl: string(),
  ilink_user_id: string(),
  redirect_host: string(),
});

export const sentShape = z.looseObject({ message_id: id() });
export const configShape = z.looseObject({ typing_ticket: string() });
export const uploadShape = z.looseObject({ upload_param: string(), upload_full_url: string() });

/** `message_type` of what the bot itself has said. */
export const BY_BOT = 2;
/** `message_state` of a message that is still being written. */
export const GENERATING = 1;

export const ITEM = { text: 1, image: 2, voice: 3, file: 4, video: 5, toolStart: 11, toolResult: 12 } as const;
