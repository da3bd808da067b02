import { z } from 'zod';

const key = (shape: RegExp, expected: string) => z.string().trim().regex(shape, expected).optional();
const secret = (description: string) => z.string().trim().min(1).optional().meta({ secret: true, description });

/** The channel's own keys in the configuration. */
export const wecomConfig = z
  .object({
    transport: z.enum(['websocket', 'callback', 'app']).optional().meta({
      description:
        'websocket: an AI bot by its long connection. callback: an AI bot that WeCom calls. app: a self-built app that WeCom calls. Left out: websocket with bot_id, app with corp_id, else callback.',
    }),
    bot_id: z
      .string()
      .trim()
      .min(1)
      .optional()
      .meta({ description: 'For websocket: the AI bot’s Bot ID, from its settings under “API mode”.' }),
    secret: z.string().trim().min(1).optional().meta({
      secret: true,
      variable: 'WECOM_BOT_SECRET',
      description: 'For websocket: the Secret beside the Bot ID.',
    }),
    ws_url: z
      .url({ protocol: /^wss?$/ })
      .default('wss://openws.work.weixin.qq.com')
      .meta({ description: 'For websocket: where the long connection goes.' }),
    bot_name: z.string().trim().min(1).optional().meta({
      description:
        'For AI bots in groups: the bot’s name as people mention it. Needed only when it holds a space, since WeCom does not tell it.',
    }),
    token: secret('For callback and app: the Token of the callback settings.'),
    encoding_aes_key: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9+/]{43}=?$/, 'expected the 43 letters and digits of the EncodingAESKey')
      .transform((value) => value.slice(0, 43))
      .optional()
      .meta({ secret: true, description: 'For callback and app: the EncodingAESKey of the callback settings.' }),
    corp_id: key(/^\w+$/, 'expected a CorpID, e.g. ww0123456789abcdef').meta({
      description: 'For app: the company’s CorpID, from “My Company”.',
    }),
    agent_id: z.coerce
      .string()
      .trim()
      .regex(/^\d+$/, 'expected the app’s AgentId, e.g. 1000002')
      .optional()
      .meta({ description: 'For app: its AgentId.' }),
    corp_secret: secret('For app: its Secret.'),
    text_format: z.enum(['markdown', 'text']).default('markdown').meta({
      description: 'For app: text for companies whose people read it in WeChat, which does not show Markdown.',
    }),
    api_root: z
      .url({ protocol: /^https?$/ })
      .default('https://qyapi.weixin.qq.com')
      .meta({ description: 'For app: where WeCom’s API is; another address for a private deployment or a proxy.' }),
  })
  .superRefine((config, { addIssue }) => {
    const transport = transportOf(config);
    for (const name of NEEDED[transport]) {
      if (config[name] !== undefined) continue;
      addIssue({ code: 'custom', path: [name], message: `transport ${transport} needs ${name}` });
    }
  });

export type WecomConfig = z.output<typeof wecomConfig>;
export type Transport = NonNullable<WecomConfig['transport']>;

const NEEDED = {
  websocket: ['bot_id', 'secret'],
  callback: ['token', 'encoding_aes_key'],
  app: ['corp_id', 'agent_id', 'corp_secret', 'token', 'encoding_aes_key'],
} as const satisfies Record<Transport, readonly string[]>;

/** The transport that is configured, or that follows from which keys there are. */
export function transportOf({
  transport,
  bot_id,
  corp_id,
  token,
}: Partial<Pick<WecomConfig, 'transport' | 'bot_id' | 'corp_id' | 'token'>>): Transport {
  if (transport !== undefined) return transport;
  if (bot_id !== undefined) return 'websocket';
  if (corp_id !== undefined) return 'app';
  return token === undefined ? 'websocket' : 'callback';
}

type Needed<T extends Transport> = Record<(typeof NEEDED)[T][number], string>;

/** The keys that a transport needs, which the configuration was checked for. */
export function settingsOf<T extends Transport>(config: WecomConfig, transport: T): Needed<T> {
  const found = Object.fromEntries(NEEDED[transport].map((name) => [name, config[name] ?? '']));
  return found as Needed<T>; // the schema has refused what lacks one
}
