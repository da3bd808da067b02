import { z } from 'zod';
import type { Manifest } from '../../channel/port.ts';

/** Manifests as far as the configuration looks at them. */
function manifest<Schema extends z.ZodType>(
  type: Manifest['type'],
  config: Schema,
  checks: Pick<Manifest<Schema>, 'problemOf' | 'account'> = {},
): Manifest<Schema> {
  return {
    type,
    title: type,
    config,
    capabilities: {
      edit: false,
      delete: false,
      stream: 'none',
      typing: false,
      reactions: false,
      history: false,
      topics: false,
      buttons: false,
      mentions: false,
      maxFileInBytes: 0,
      maxFileOutBytes: 0,
      knowsRepeatsForMs: 0,
      textUnit: 'utf16',
      maxText: 4096,
    },
    pace: () => ({ minIntervalMs: 0, typingLastsMs: 0 }),
    limits: () => [],
    split: (document) => [document],
    exclusive: () => false,
    ...checks,
    create: () => Promise.reject(new Error('this manifest has no adapter')),
  };
}

/** A bot with a token, one with three secrets and a nested part, and the built-in page. */
export const testManifests: readonly Manifest[] = [
  manifest(
    'telegram',
    z.object({
      bot_token: z.string().min(1).meta({ secret: true }),
      api_root: z.url().default('https://api.telegram.org'),
      transport: z.enum(['polling', 'webhook']).default('polling'),
      poll_seconds: z.int().min(1).max(50).default(30),
    }),
    {
      problemOf: ({ transport }, { webhookUrl }) =>
        transport === 'webhook' && webhookUrl === undefined
          ? { key: 'transport', problem: 'webhook needs server.public_url' }
          : null,
      account: ({ bot_token }) => ({ key: 'bot_token', id: bot_token }),
    },
  ),
  manifest(
    'slack',
    z.object({
      bot_token: z.string().min(1).meta({ secret: true }),
      app_token: z.string().min(1).meta({ secret: true }),
      retries: z.object({ count: z.int().default(3), jitter: z.boolean().default(true) }).prefault({}),
    }),
  ),
  manifest('web', z.object({ title: z.string().default('Antler') })),
];
