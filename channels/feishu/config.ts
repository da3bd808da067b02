import { z } from 'zod';

/** The channel's own keys in the configuration. */
export const feishuConfig = z.object({
  app_id: z
    .string()
    .trim()
    .regex(/^cli_[0-9a-fA-F]{16}$/, 'expected an App ID as the developer console shows it, e.g. cli_a1b2c3d4e5f60718')
    .meta({ description: 'App ID of the self-built app (Credentials & Basic Info).' }),
  app_secret: z.string().trim().min(1).meta({ secret: true, description: 'App Secret, from the same page.' }),
  transport: z
    .enum(['websocket', 'webhook'])
    .default('websocket')
    .meta({ description: 'websocket needs nothing else; webhook needs a public HTTPS address.' }),
  encrypt_key: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true, description: 'For webhook: Encrypt Key (Events & Callbacks, Encryption Strategy).' }),
  verification_token: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true, description: 'For webhook: Verification Token, from the same page.' }),
  domain: z
    .url({ protocol: /^https?$/ })
    .default('https://open.feishu.cn')
    .meta({ description: 'https://open.larksuite.com for Lark, the international edition.' }),
});

export type FeishuConfig = z.output<typeof feishuConfig>;
