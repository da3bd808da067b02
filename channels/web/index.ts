import { z } from 'zod';
import type { Manifest } from '../../src/channel/port.ts';
import { limits } from './limits.ts';

const config = z.object({
  bot_name: z.string().trim().min(1).max(64).default('Antler').describe('The name above the answers.'),
});

/** The settings of a web chat in `channels.<name>`. */
export type WebConfig = z.output<typeof config>;

/** The web chat: the one platform whose messages we keep ourselves. */
export const web: Manifest<typeof config> = {
  type: 'web',
  title: 'Web chat',
  config,
  capabilities: {
    edit: true,
    delete: false,
    stream: 'edit',
    typing: true,
    reactions: false,
    topics: false,
    buttons: false,
    filesIn: false,
    filesOut: false,
    // Messages are kept by their key.
    knowsRepeatsForMs: 86_400_000,
    textUnit: 'chars',
    maxText: limits.maxTextChars,
  },
  pace: () => ({ minIntervalMs: limits.minEditIntervalMs, typingLastsMs: limits.typingLastsMs }),
  limits: () => [],
  split: (document) => [document],
  exclusive: () => false,
  create: async (context) => (await import('./adapter.ts')).createWebAdapter(context),
};
