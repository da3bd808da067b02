import type { Manifest } from '../../src/channel/port.ts';
import { isReachable, telegramConfig, UNREACHABLE } from './config.ts';
import {
  CHAT_SENDS,
  EDIT_INTERVAL_DM_MS,
  EDIT_INTERVAL_GROUP_MS,
  FILE_DOWNLOAD_MAX_BYTES,
  FILE_UPLOAD_MAX_BYTES,
  GROUP_SENDS,
  SENDS_MAX_PER_SECOND,
  TEXT_MAX_UTF16,
  TYPING_LASTS_MS,
} from './limits.ts';
import { splitDocument } from './outbound/split.ts';

/** Telegram, by its Bot API. */
export const telegram: Manifest<typeof telegramConfig> = {
  type: 'telegram',
  title: 'Telegram',
  config: telegramConfig,
  capabilities: {
    edit: true,
    delete: true,
    stream: 'edit',
    typing: true,
    reactions: true,
    history: false,
    topics: true,
    buttons: true,
    mentions: true,
    maxFileInBytes: FILE_DOWNLOAD_MAX_BYTES,
    maxFileOutBytes: FILE_UPLOAD_MAX_BYTES,
    knowsRepeatsForMs: 0,
    textUnit: 'utf16',
    maxText: TEXT_MAX_UTF16,
  },
  pace: ({ chatKind }) => ({
    minIntervalMs: chatKind === 'dm' ? EDIT_INTERVAL_DM_MS : EDIT_INTERVAL_GROUP_MS,
    typingLastsMs: TYPING_LASTS_MS,
  }),
  limits: (channel, { chat, chatKind }) => [
    { scope: `telegram:${channel}`, count: SENDS_MAX_PER_SECOND, windowMs: 1_000 },
    { scope: `telegram:${channel}:chat:${chat}`, ...CHAT_SENDS },
    ...(chatKind === 'group' ? [{ scope: `telegram:${channel}:group:${chat}`, ...GROUP_SENDS }] : []),
  ],
  split: splitDocument,
  exclusive: ({ transport }) => transport === 'polling',
  problemOf: (config, { webhookUrl }) =>
    isReachable(config, webhookUrl) ? null : { key: 'transport', problem: UNREACHABLE },
  account: ({ bot_token, api_root }) => ({ key: 'bot_token', id: `${bot_token.split(':')[0]} ${api_root}` }),
  create: async (context) => {
    const [{ createApi }, { createAdapter }] = await Promise.all([import('./api.ts'), import('./adapter.ts')]);
    return createAdapter(context, await createApi(context.config.bot_token, context.config.api_root));
  },
};
