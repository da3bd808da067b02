import type { Manifest } from '../../src/channel/port.ts';
import { webConfig } from './config.ts';
import { limits } from './limits.ts';

/** The web chat: the one platform whose messages we keep ourselves. */
export const web: Manifest<typeof webConfig> = {
  type: 'web',
  title: 'Web chat',
  config: webConfig,
  capabilities: {
    edit: true,
    delete: false,
    stream: 'edit',
    typing: true,
    reactions: false,
    history: false,
    topics: false,
    buttons: false,
    mentions: false,
    maxFileInBytes: limits.maxFileBytes,
    maxFileOutBytes: limits.maxFileBytes,
    knowsRepeatsForMs: limits.knowsRepeatsForMs,
    textUnit: 'chars',
    maxText: limits.maxTextChars,
  },
  pace: () => ({ minIntervalMs: limits.minEditIntervalMs, typingLastsMs: limits.typingLastsMs }),
  limits: () => [],
  split: (document) => [document],
  exclusive: () => false,
  create: async (context) => (await import('./adapter.ts')).createWebAdapter(context),
};
