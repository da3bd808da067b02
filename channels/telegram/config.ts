import { z } from 'zod';

/** The channel's own keys in the configuration. */
export const telegramConfig = z.object({
  bot_token: z
    .string()
    .trim()
    .regex(/^\d+:[\w-]+$/, 'expected a bot token as BotFather gives it, e.g. 123456789:AAF…')
    .meta({ secret: true, description: 'The token that @BotFather gave you.' }),
  transport: z
    .enum(['polling', 'webhook'])
    .default('polling')
    .meta({ description: 'polling needs nothing else; webhook needs a public HTTPS address.' }),
  api_root: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telegram.org')
    .meta({ description: 'Where the Bot API is; another address for a self-hosted Bot API server.' }),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'The public address that Telegram calls. When it is set, the webhook is registered at start.',
    }),
  webhook_secret: z
    .string()
    .regex(/^[\w-]{1,256}$/, 'expected 1 to 256 letters, digits, _ or -')
    .optional()
    .meta({ secret: true, description: 'Needed only when you register the webhook yourself.' }),
});

export type TelegramConfig = z.output<typeof telegramConfig>;

/** Does Telegram find its way here? `webhookUrl`: the address that follows from the installation's. */
export const isReachable = (config: TelegramConfig, webhookUrl: string | undefined): boolean =>
  config.transport !== 'webhook' ||
  (config.webhook_url ?? webhookUrl) !== undefined ||
  config.webhook_secret !== undefined;

export const UNREACHABLE =
  'webhook needs server.public_url (or webhook_url), where Telegram reaches it; or webhook_secret, if you register the webhook yourself';
