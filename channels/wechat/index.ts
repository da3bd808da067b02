import type { Manifest } from '../../src/channel/port.ts';
import { wechatConfig } from './config.ts';
import {
  ILINK_FILE_MAX_BYTES,
  ILINK_KNOWS_REPEATS_MS,
  ILINK_SENDS,
  ILINK_SENDS_OF_ALL,
  ILINK_TEXT_MAX_BYTES,
  TYPING_LASTS_MS,
  WECHATY_FILE_MAX_BYTES,
  WECHATY_SENDS,
  WECHATY_TEXT_MAX_CHARS,
} from './limits.ts';
import { splitByBytes, splitByChars } from './outbound/split.ts';

/** A personal WeChat account: by WeChat's own bot interface (iLink), or by a puppet of wechaty. */
export const wechat: Manifest<typeof wechatConfig> = {
  type: 'wechat',
  title: 'WeChat',
  config: wechatConfig,
  capabilities: {
    edit: false,
    delete: false,
    stream: 'none',
    typing: true,
    reactions: false,
    history: false,
    topics: false,
    buttons: false,
    mentions: false,
    maxFileInBytes: ILINK_FILE_MAX_BYTES,
    maxFileOutBytes: ILINK_FILE_MAX_BYTES,
    knowsRepeatsForMs: ILINK_KNOWS_REPEATS_MS,
    textUnit: 'bytes',
    maxText: ILINK_TEXT_MAX_BYTES,
  },
  pace: () => ({ minIntervalMs: 0, typingLastsMs: TYPING_LASTS_MS }),
  limits: (channel, { chat }) => [
    { scope: `wechat:${channel}`, ...ILINK_SENDS_OF_ALL },
    { scope: `wechat:${channel}:chat:${chat}`, ...ILINK_SENDS },
  ],
  split: splitByBytes,
  exclusive: () => true,
  sendsThroughConnection: ({ transport }) => transport === 'wechaty',
  forSettings: ({ transport }) => (transport === 'wechaty' ? byPuppet : {}),
  create: async (context) => {
    if (context.config.transport === 'wechaty') {
      const { createWechatyAdapter } = await import('./wechaty/adapter.ts');
      return createWechatyAdapter(context);
    }
    const { createIlinkAdapter } = await import('./ilink/adapter.ts');
    return createIlinkAdapter(context);
  },
};

/** What differs when a puppet of wechaty does it. */
const byPuppet: ReturnType<NonNullable<typeof wechat.forSettings>> = {
  capabilities: {
    ...wechat.capabilities,
    typing: false,
    mentions: true,
    maxFileInBytes: WECHATY_FILE_MAX_BYTES,
    maxFileOutBytes: WECHATY_FILE_MAX_BYTES,
    knowsRepeatsForMs: 0,
    textUnit: 'chars',
    maxText: WECHATY_TEXT_MAX_CHARS,
  },
  pace: () => ({ minIntervalMs: 0, typingLastsMs: 0 }),
  limits: (channel) => [{ scope: `wechat:${channel}`, ...WECHATY_SENDS }],
  split: splitByChars,
};
