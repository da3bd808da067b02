import type { Manifest } from '../../src/channel/port.ts';
import { feishuConfig } from './config.ts';
import {
  API_CALLS,
  CARD_MAX_BYTES,
  CHAT_SENDS,
  FILE_MAX_BYTES,
  RESOURCE_MAX_BYTES,
  STREAM_INTERVAL_MS,
  TYPING_LASTS_MS,
  UUID_KNOWN_MS,
} from './limits.ts';
import { splitDocument } from './outbound/split.ts';

/** Feishu and Lark, by a self-built app's bot. */
export const feishu: Manifest<typeof feishuConfig> = {
  type: 'feishu',
  title: 'Feishu / Lark',
  config: feishuConfig,
  capabilities: {
    edit: true,
    delete: true,
    stream: 'edit',
    typing: true,
    reactions: true,
    history: true,
    topics: true,
    buttons: true,
    mentions: true,
    maxFileInBytes: RESOURCE_MAX_BYTES,
    maxFileOutBytes: FILE_MAX_BYTES,
    knowsRepeatsForMs: UUID_KNOWN_MS,
    textUnit: 'bytes',
    maxText: CARD_MAX_BYTES,
  },
  pace: () => ({ minIntervalMs: STREAM_INTERVAL_MS, typingLastsMs: TYPING_LASTS_MS }),
  limits: (channel, { chat }, call) => [
    ...API_CALLS.map((limit) => ({ scope: `feishu:${channel}:${call}:${limit.windowMs}`, ...limit })),
    ...(call === 'send' ? [{ scope: `feishu:${channel}:chat:${chat}`, ...CHAT_SENDS }] : []),
  ],
  split: splitDocument,
  exclusive: ({ transport }) => transport === 'websocket',
  problemOf: ({ transport, encrypt_key, verification_token }) =>
    transport === 'webhook' && encrypt_key === undefined && verification_token === undefined
      ? { key: 'encrypt_key', problem: 'transport webhook needs the Encrypt Key (better) or the Verification Token' }
      : null,
  account: ({ app_id, domain }) => ({ key: 'app_id', id: `${app_id} ${domain}` }),
  create: async (context) => {
    const [{ loadSdk }, { createAdapter }] = await Promise.all([import('./sdk.ts'), import('./adapter.ts')]);
    return createAdapter(context, await loadSdk());
  },
};
