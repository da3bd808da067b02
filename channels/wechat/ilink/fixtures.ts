/** Messages in iLink's published shape, with made-up ids; `message_id` as the lossless reader hands it on. */
export const ANN = 'o9cq80aaaaaaaaaaaaaaaaaaaaaa@im.wechat';
export const SELF = '0123456789ab@im.bot';

const base = {
  seq: 1,
  message_id: '9007199254740993123',
  from_user_id: ANN,
  to_user_id: SELF,
  create_time_ms: 1_700_000_000_000,
  message_type: 1,
  message_state: 2,
  context_token: 'CTX==',
};

export const textItem = (text: string, more: object = {}) => ({ type: 1, text_item: { text }, ...more });

export const messageWith = (items: unknown, more: object = {}) => ({ ...base, item_list: items, ...more });

const RAW_KEY = '00112233445566778899aabbccddeeff';
/** Of the same key, in the three spellings that are in use. */
export const KEYS = {
  hex: RAW_KEY,
  base64Raw: Buffer.from(RAW_KEY, 'hex').toString('base64'),
  base64Hex: Buffer.from(RAW_KEY).toString('base64'),
} as const;

export const media = (more: object = {}) => ({ encrypt_query_param: 'PARAM', aes_key: KEYS.base64Hex, ...more });
